/** Writes calls as their format's own definition says. */
import { formatOf } from "../formats/table.ts";
import type { FormatId } from "../types.ts";
import { around, type WrittenCall } from "./written-call.ts";

const plain = around("", "");

/** The calls as one text in the format; an empty text for no calls. */
export function writeCalls(format: FormatId, calls: readonly WrittenCall[]): string {
  return calls.length === 0 ? "" : (formatOf(format)?.write ?? plain)(calls);
}

/** Words and the calls behind them, as one text that reads back as both. */
export function writeReply(format: FormatId, words: string, calls: readonly WrittenCall[]): string {
  const written = writeCalls(format, calls);
  if (words === "" || written === "") return words + written;
  const before = formatOf(format)?.writeWords;
  return before ? before(words) + written : `${words}\n${written}`;
}
