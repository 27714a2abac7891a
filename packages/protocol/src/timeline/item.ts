/** Defines the items of a session that people see. The timeline makes them; screens, the line chat and exports draw them. */

import type { TurnEndReason } from "../event.ts";
import type { ImageContent } from "../image.ts";
import type { JsonObject } from "../json.ts";
import type { PermissionAnswer } from "../permission-request.ts";
import type { QuestionAction } from "../server-question.ts";
import type { ToolResult } from "../tool-result.ts";

/** `key` stays the same while an item changes. A changed item is a new object, so that screens can compare. */
export type Item = { readonly key: string } & (
  | UserFacts
  | AnswerFacts
  | ThoughtFacts
  | CallItemFacts
  | NoticeFacts
  | UnreadableFacts
  | QuestionFacts
  | EndFacts
  | PersonsCommandFacts
);

export type ItemOf<Kind extends Item["kind"]> = Extract<Item, { readonly kind: Kind }>;
export type CallItem = ItemOf<"call">;

interface UserFacts {
  readonly kind: "user";
  readonly seq: number;
  readonly turnId: string;
  readonly text: string;
  readonly from: "person" | "harness" | "file";
  /** The path of an attached file; only with `from: "file"`. */
  readonly path?: string;
  readonly images?: readonly ImageContent[];
}

/** A text of the model. `live` is true while it may still grow. */
interface AnswerFacts {
  readonly kind: "answer";
  readonly text: string;
  readonly live: boolean;
  readonly partial?: "interrupted" | "error";
}

interface ThoughtFacts {
  readonly kind: "thought";
  readonly text: string;
  readonly live: boolean;
  /** How long the model thought, in milliseconds; absent if it was not measured. */
  readonly ms?: number;
}

/** `asked`: the person is asked about the call. */
export type CallState = "writing" | "waiting" | "asked" | "running" | "done";

interface CallItemFacts {
  readonly kind: "call";
  readonly callId: string;
  readonly toolName: string;
  readonly arguments: string | JsonObject;
  readonly state: CallState;
  /** The newest progress text of a running call. */
  readonly progress: string;
  /** The agent that reported the progress; absent if the call itself did. */
  readonly agent?: string;
  readonly format?: string;
  /** The repairs that the harness made to the call. */
  readonly notes: readonly string[];
  readonly result?: ToolResult;
  /** The reason why the call failed, in words for the person; absent if it did not fail. */
  readonly why?: string;
  /** The change that the call made, or would make while it has no result; absent if it failed. */
  readonly diff?: string;
  /** The change that the person was asked about. */
  readonly preview?: string;
  /** The plan that the call presents, with the person's changes if there are any. */
  readonly plan?: string;
  readonly answer?: PermissionAnswer;
  readonly answerFrom?: "person" | "nobody";
  /** The name of the client that answered, or `nobody`; absent if it is not known. */
  readonly answeredBy?: string;
  /** The person's text for the model, in a denial. */
  readonly note?: string;
}

/** `code` is the code of the event; absent for a notice of the screen itself. */
interface NoticeFacts {
  readonly kind: "notice";
  readonly level: "info" | "warning" | "error";
  readonly text: string;
  readonly code?: string;
}

/** A call of the model that could not be read. `raw` is what the model wrote. */
interface UnreadableFacts {
  readonly kind: "unreadable";
  readonly reason: string;
  readonly message: string;
  readonly raw: string;
}

/** A question of an MCP server that is settled. `asker` says in words who asked. */
interface QuestionFacts {
  readonly kind: "question";
  readonly asker: string;
  readonly action: QuestionAction;
  /** The name of the client that answered, or `nobody`; absent if it is not known. */
  readonly answeredBy?: string;
}

interface EndFacts {
  readonly kind: "end";
  readonly turnId: string;
  readonly reason: TurnEndReason;
  readonly message?: string;
  readonly denied: number;
  /** The plan with which the turn ended, because nobody could approve it. */
  readonly plan?: string;
  /** The number of file changes that the turn's calls reported. */
  readonly changes: number;
  readonly calls: number;
  readonly ms?: number;
}

/** A `!command` that the person ran on this screen. */
interface PersonsCommandFacts {
  readonly kind: "command";
  readonly command: string;
  readonly output: string;
  readonly running: boolean;
  readonly exitCode?: number;
}
