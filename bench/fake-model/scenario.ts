/** What the scripted model does in one run. Which turn it is follows from the tool results in the request. */
import type { JsonObject } from "@localharness/protocol";

export type Scenario =
  /** The final text at once. */
  | { readonly kind: "answer" }
  /** So many turns with one file read each, then the final text. */
  | { readonly kind: "reads"; readonly turns: number }
  /** A final text of so many small deltas, as fast as the socket takes them, or a millisecond apart. */
  | { readonly kind: "deltas"; readonly count: number; readonly apart: boolean }
  /** One call that writes a file of so many bytes, native or as Hermes text, then the final text. */
  | { readonly kind: "big-call"; readonly bytes: number; readonly as: "native" | "hermes" };

/** A call made ready to be written on any wire. */
export interface PlannedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  /** What a delta of its argument text is at most, in characters; 0 for one delta. */
  readonly deltaChars: number;
}

export interface Reply {
  readonly text: Iterable<string>;
  readonly calls: readonly PlannedCall[];
  readonly model: string;
  readonly promptTokens: number;
}

export const finalText = "That is all there is to say about these files.";
const deltaChars = 5;

/** Where file `index` of the reads scenario lies in the workspace. */
export function readPath(index: number): string {
  return `src/file${index}.ts`;
}

/** What every file of the workspace begins with, so that a result can be told to hold the file. */
export function fileMark(index: number): string {
  return `// file ${index} of the workspace`;
}

/** Where the big call writes. */
export const bigCallPath = "src/written.ts";

/** Source text of exactly so many bytes, with line ends and quotes to escape, no line like another. */
export function bigContent(bytes: number): string {
  const lines: string[] = [];
  for (let length = 0, line = 0; length < bytes; line++) {
    const text = `export const row${line} = { "name": "item ${line * 7919}", size: ${line} };\n`;
    lines.push(text);
    length += text.length;
  }
  return lines.join("").slice(0, bytes);
}

/** Pieces of five characters that do not repeat: some harnesses stop at a text that does. */
export function* deltaTexts(count: number): Generator<string> {
  for (let index = 0; index < count; index++) {
    yield `${((index + 1) * 1_000_003).toString(36).slice(-4).padStart(4, "x")} `;
  }
}

/** Cuts a text into deltas; `chars` 0 leaves it whole. */
export function* pieces(text: string, chars: number): Generator<string> {
  if (chars === 0) {
    yield text;
    return;
  }
  for (let from = 0; from < text.length; from += chars) yield text.slice(from, from + chars);
}

/** The text of one call in the Hermes format, in pieces. */
export function hermesText(name: string, args: JsonObject): Generator<string> {
  return pieces(`<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`, deltaChars);
}
