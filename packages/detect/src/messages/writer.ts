/** What writes the calls of one answer in one format. */
import type { JsonValue } from "../types.ts";

export interface WrittenCall {
  readonly name: string;
  readonly arguments: { readonly [key: string]: JsonValue };
}

/** `after` is the text that the calls follow, empty when they begin the answer. */
export type Writer = (calls: readonly WrittenCall[], after: string) => string;

/** Writes each call by itself, and these one after another. */
export function each(write: (call: WrittenCall, place: number) => string, between = "\n"): Writer {
  return (calls) => calls.map(write).join(between);
}

/** Writes what stands around all calls once. */
export function around(open: string, inner: Writer, close: string): Writer {
  return (calls, after) => open + inner(calls, after) + close;
}
