/** Declares the types that detectors and the writers of calls take and return. All but `Detector` are plain JSON. */
import type { JsonObject, JsonSchema, JsonValue } from "@localharness/schema";
import type { CallFormat, FormatId } from "./formats/rows.ts";

export type { JsonObject, JsonSchema, JsonValue };

/** A tool on offer: its name, what it does, and a JSON Schema object of its parameters. */
export interface ToolSchema {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonSchema;
}

export type { CallFormat, FormatId };

/** A correction that was needed to read a call. */
export type Repair =
  | "missing-open-tag"
  | "missing-end-tag"
  | "half-open-tag"
  | "half-end-tag"
  | "wrong-end-tag"
  | "missing-closer"
  | "extra-closer"
  | "trailing-comma"
  | "missing-comma"
  | "wrong-separator"
  | "single-quotes"
  | "unquoted-key"
  | "unquoted-value"
  | "unescaped-quote"
  | "control-character"
  | "invalid-escape"
  | "python-literal"
  | "comment"
  | "fence"
  | "stringified-arguments"
  | "argument-key"
  | "missing-arguments"
  | "tool-name"
  | "near-name"
  | "typed-value"
  | "default-value"
  | "dropped-key";

/** An event of a detector. Events come in the order of the text; a delta carries only the newest piece. */
export type DetectEvent =
  | { type: "text-delta"; text: string }
  | { type: "reasoning-delta"; text: string }
  /**
   * The text has the end mark of a thought that the prompt opened. All events before this one are void. The thought follows
   * as a `reasoning-delta`. Calls in it do not count, except if they end it and nothing follows: then they come once more. The
   * indexes of calls begin at 0 again.
   */
  | { type: "restart" }
  | { type: "tool-call-start"; index: number; name: string; format: CallFormat }
  | { type: "tool-call-delta"; index: number; argumentsText: string }
  | {
      type: "tool-call-end";
      index: number;
      id?: string;
      name: string;
      arguments: { [key: string]: JsonValue };
      format: CallFormat;
      repairs: readonly Repair[];
    }
  | {
      type: "tool-call-error";
      raw: string;
      reason: ToolCallErrorReason;
      message: string;
      format: CallFormat;
      name?: string;
      /** The number of calls and errors that were counted and not kept, with the reason `too-many`. */
      calls?: number;
    };

/** The reason of a `tool-call-error`: why a call is not valid, or that further calls were not kept (`too-many`). */
export type ToolCallErrorReason =
  | "incomplete"
  | "cut"
  | "unreadable"
  | "unknown-tool"
  | "invalid-arguments"
  | "too-many";

/** A format that the table lacks: one JSON call, or a list of calls, between two marks. */
export interface CustomFormat {
  readonly id: `custom:${string}`;
  /** The mark before the JSON: `[[call]]`. It must begin with an ASCII character. */
  readonly open: string;
  /** The marks that may follow the JSON, directly or after white space. Empty if the JSON itself ends the call. */
  readonly ends: readonly string[];
}

export interface DetectorOptions {
  readonly tools: readonly ToolSchema[];
  /** Your own formats. They are read in addition to the chosen ones. */
  readonly custom?: readonly CustomFormat[];
  /** The formats to read: all with `"auto"` (default), else one id or a list of ids. `llama3` includes `json`. */
  readonly format?: "auto" | FormatId | readonly FormatId[];
  /**
   * True to read only calls that stand alone: at the beginning of a line, outside of fences, and with only calls from
   * there to the end of the reply. Set it for models that have native calls.
   */
  readonly onlyAlone?: boolean;
  /**
   * The maximum number of calls that are kept, unreadable calls included. By default all are kept. Further calls are
   * only counted; `end` returns their number in a `too-many` error.
   */
  readonly maxCalls?: number;
  /** The name of the model. For some models, such as DeepSeek V4, calls in the frame of an earlier version are errors. */
  readonly model?: string;
  /** True if the prompt ended in an opened thought, so that the text begins inside it. */
  readonly startsInReasoning?: boolean;
  /** False to keep the end mark of a thought without an opening mark as text. By default it causes a `restart` event. */
  readonly restarts?: boolean;
}

/** Reads model text piece by piece. It never throws. After `mergeDeltas` the events do not depend on how the text is cut. */
export interface Detector {
  push(chunk: string): DetectEvent[];
  /**
   * Ends the text: returns the events for held-back text and an open call. After it, `push` and `end` return no events. With
   * `isCut`, because the reply was cut off, a call whose end is missing is not repaired: it is an error (`cut`).
   */
  end(isCut?: boolean): DetectEvent[];
}

/** One turn of a conversation, to be written in a format. */
export interface WrittenTurn {
  readonly text: string;
  readonly calls: readonly { id: string; name: string; arguments: { [key: string]: JsonValue } }[];
  readonly results: readonly { id: string; name: string; content: string }[];
}

/** A message for a model that takes only text. */
export interface TextMessage {
  role: "assistant" | "tool";
  content: string;
  toolCallId?: string;
}
