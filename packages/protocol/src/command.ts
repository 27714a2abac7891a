/** What a person or a program wants of a session. Events tell what came of it. */
import type { PermissionAnswer, PermissionMode } from "./event.ts";
import type { ImageContent } from "./image.ts";

export type Command =
  | {
      readonly type: "user-message";
      readonly content: string;
      /** At most `imageLimits`; absent when there are none. */
      readonly images?: readonly ImageContent[];
    }
  | {
      readonly type: "permission-answer";
      readonly requestId: string;
      readonly answer: PermissionAnswer;
      /** What the model is told with a denial: what to do instead. */
      readonly note?: string;
    }
  | { readonly type: "interrupt" }
  | { readonly type: "set-mode"; readonly mode: PermissionMode };
