/** The commands that a person or a program sends to a session. The session answers with events. */
import type { PermissionAnswer, PermissionMode } from "./event.ts";
import type { ImageContent } from "./image.ts";
import type { AttachedFile } from "./mentions.ts";

export type Command =
  | {
      readonly type: "user-message";
      readonly content: string;
      /** Within `imageLimits`; absent when the message has no images. */
      readonly images?: readonly ImageContent[];
      /** The files that the person attached, read by the harness; absent when there are none. */
      readonly files?: readonly AttachedFile[];
    }
  | {
      readonly type: "permission-answer";
      readonly requestId: string;
      readonly answer: PermissionAnswer;
      /** Text that the model gets with a denial: what to do instead. */
      readonly note?: string;
      /** Approves a plan, with an answer that allows: the session goes on in this mode. */
      readonly mode?: PermissionMode;
      /** The plan that is approved, where it is not the one that the model wrote. */
      readonly plan?: string;
    }
  | {
      readonly type: "interrupt";
      /** True drops the messages that wait for the end of the turn; otherwise they begin the next turn. */
      readonly dropsWaiting?: boolean;
    }
  | { readonly type: "set-mode"; readonly mode: PermissionMode };
