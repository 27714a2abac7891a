/** The shapes that go into and come out of a detector. Everything here is plain JSON. */
import type { FormatId } from "./formats/rows.ts";

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** A JSON Schema object; only the parts that say how a value is typed are read. */
export type JsonSchema = { readonly [key: string]: unknown };

/** A tool on offer: its name, what it does, and a JSON Schema object of its parameters. */
export interface ToolSchema {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonSchema;
}

export type { FormatId };

/** One thing that had to be put right before a call could be read, in the order it was done. */
export type Repair =
  | "missing-end-tag"
  | "half-end-tag"
  | "wrong-end-tag"
  | "missing-closer"
  | "extra-closer"
  | "trailing-comma"
  | "missing-comma"
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
  | "dropped-key";

/** What a detector reports, in the order of the text. Deltas carry only what is new. */
export type DetectEvent =
  | { type: "text-delta"; text: string }
  | { type: "reasoning-delta"; text: string }
  | { type: "tool-call-start"; index: number; name: string; format: FormatId }
  | { type: "tool-call-delta"; index: number; argumentsText: string }
  | {
      type: "tool-call-end";
      index: number;
      id?: string;
      name: string;
      arguments: { [key: string]: JsonValue };
      format: FormatId;
      repairs: readonly Repair[];
    }
  | {
      type: "tool-call-error";
      raw: string;
      reason: ToolCallErrorReason;
      message: string;
      format: FormatId;
      name?: string;
    };

/** Why text that is certainly a call was not taken as one. */
export type ToolCallErrorReason = "incomplete" | "unreadable" | "unknown-tool" | "invalid-arguments";

export interface DetectorOptions {
  readonly tools: readonly ToolSchema[];
  /** `"auto"` (default) watches for every format at once; an id or a list narrows it. */
  readonly format?: "auto" | FormatId | readonly FormatId[];
  /** True when the prompt ended in an opened thought, so that the text begins inside it. */
  readonly startsInReasoning?: boolean;
}

/** Reads model text piece by piece. Never throws; the same text gives the same merged events however it is cut. */
export interface Detector {
  push(chunk: string): DetectEvent[];
  /** Call once, after the last chunk: releases what was held back and settles an open call. */
  end(): DetectEvent[];
}

/** One turn of a conversation, to be written out in a format. */
export interface Turn {
  readonly text: string;
  readonly calls: readonly { id: string; name: string; arguments: { [key: string]: JsonValue } }[];
  readonly results: readonly { id: string; name: string; content: string }[];
}

/** A message as text-only models read it. */
export interface TextMessage {
  role: "assistant" | "tool";
  content: string;
  toolCallId?: string;
}
