/** The commands that a person or a program sends to a session. The session answers with events. */

import type { ImageContent } from "./image.ts";
import type { JsonObject } from "./json.ts";
import type { AttachedFile } from "./mentions.ts";
import type { PermissionAnswer, PermissionMode } from "./permission-request.ts";
import type { QuestionAction } from "./server-question.ts";

export type Command =
  | {
      readonly type: "user-message";
      readonly content: string;
      /** The images of the message, within `imageLimits`; absent if it has none. */
      readonly images?: readonly ImageContent[];
      /** The files that the person attached, read by the harness; absent when there are none. */
      readonly files?: readonly AttachedFile[];
    }
  | {
      readonly type: "permission-answer";
      readonly requestId: string;
      readonly answer: PermissionAnswer;
      /** The id of an offer of the request; only with `once`. */
      readonly offer?: string;
      /** What the model should do instead, in the person's words; only in a denial. */
      readonly note?: string;
      /** True for the scope `wider` of the request; only with `session` and `remember`. */
      readonly wider?: boolean;
      /** The mode in which the session continues; only with an answer that approves a plan. */
      readonly mode?: PermissionMode;
      /** The approved plan, if the person has edited it. */
      readonly plan?: string;
    }
  | {
      readonly type: "server-question-answer";
      readonly questionId: string;
      readonly action: QuestionAction;
      /** What the person filled in, by the names of the fields; only with the action `accept`. */
      readonly values?: JsonObject;
    }
  | {
      readonly type: "interrupt";
      /** True to drop the messages that wait for the end of the turn; otherwise they begin the next turn. */
      readonly dropsWaiting?: boolean;
    }
  | { readonly type: "set-mode"; readonly mode: PermissionMode }
  | {
      /** Leaves old results and answers out of the prompt. During a turn, only makes a notice that this is impossible. */
      readonly type: "compact";
      /** What the model must keep in mind, in the person's words. */
      readonly keep?: string;
    };
