/** Declares the input and output types of a detector. All values are plain JSON. */
import type { JsonSchema, JsonValue } from "@localharness/schema";
import type { CallFormat, FormatId } from "./formats/rows.ts";

export type { JsonSchema, JsonValue };

/** A tool on offer: its name, what it does, and a JSON Schema object of its parameters. */
export interface ToolSchema {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonSchema;
}

export type { CallFormat, FormatId };

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
    };

/** Why text that is certainly a call was not taken as one. */
export type ToolCallErrorReason = "incomplete" | "unreadable" | "unknown-tool" | "invalid-arguments";

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
  /** Formats of your own, read besides the chosen ones. */
  readonly custom?: readonly CustomFormat[];
  /** `"auto"` (default) watches for every format at once; an id or a list narrows it. */
  readonly format?: "auto" | FormatId | readonly FormatId[];
  /**
   * True to read only calls that stand by themselves: at the beginning of a line, outside of fences, with nothing but calls
   * after them to the end of the reply. For models whose calls do not usually come as text.
   */
  readonly onlyAlone?: boolean;
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
