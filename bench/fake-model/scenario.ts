/** The scenarios of the scripted model. The number of tool results in a request determines the turn. */
import type { JsonObject } from "@localharness/protocol";

export type Scenario =
  /** The final text at once. */
  | { readonly kind: "answer" }
  /** `turns` turns with one file read each, then the final text. */
  | { readonly kind: "reads"; readonly turns: number }
  /** A final text of `count` small deltas, as fast as the socket takes them, or a millisecond apart. */
  | { readonly kind: "deltas"; readonly count: number; readonly apart: boolean }
  /** One call that writes a file of `bytes` bytes, native or as Hermes text, then the final text. */
  | { readonly kind: "big-call"; readonly bytes: number; readonly as: "native" | "hermes" };

/** A call that an adapter can write in any wire API. */
export interface PlannedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  /** The maximum characters of one delta of the argument text; 0 for a single delta. */
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

/** Returns the path of file `index` of the reads scenario in the workspace. */
export function readPath(index: number): string {
  return `src/file${index}.ts`;
}

/** Returns the first line of a workspace file, by which a result with its content is recognized. */
export function fileMark(index: number): string {
  return `// file ${index} of the workspace`;
}

/** The path that the big call writes. */
export const bigCallPath = "src/written.ts";

/** Returns source text of exactly `bytes` bytes, with line breaks and quotes to escape, all lines different. */
export function bigContent(bytes: number): string {
  const lines: string[] = [];
  for (let length = 0, line = 0; length < bytes; line += 1) {
    const text = `export const row${line} = { "name": "item ${line * 7919}", size: ${line} };\n`;
    lines.push(text);
    length += text.length;
  }
  return lines.join("").slice(0, bytes);
}

/** Yields pieces of five characters that do not repeat, because some harnesses stop at repeated text. */
export function* deltaTexts(count: number): Generator<string> {
  for (let index = 0; index < count; index += 1) {
    yield `${((index + 1) * 1_000_003).toString(36).slice(-4).padStart(4, "x")} `;
  }
}

/** Splits a text into deltas of `chars` characters; 0 leaves it whole. */
export function* pieces(text: string, chars: number): Generator<string> {
  if (chars === 0) {
    yield text;
    return;
  }
  for (let from = 0; from < text.length; from += chars) yield text.slice(from, from + chars);
}

/** Yields the text of one call in the Hermes format, in pieces. */
export function hermesText(name: string, args: JsonObject): Generator<string> {
  return pieces(`<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`, deltaChars);
}
