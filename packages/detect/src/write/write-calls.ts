/** The writer of every format. */
import type { FormatId } from "../types.ts";
import { jsonWriters } from "./json-writers.ts";
import { markerWriters } from "./marker-writers.ts";
import { tagWriters } from "./tag-writers.ts";
import { asObject, type CallWriter, each, type WrittenCall } from "./written-call.ts";

const writers: { readonly [id in FormatId]?: CallWriter } = {
  ...jsonWriters,
  ...tagWriters,
  ...markerWriters,
};
const plain: CallWriter = each((call) => asObject(call));

/** The calls as one text in the format; an empty text for no calls. */
export function writeCalls(format: FormatId, calls: readonly WrittenCall[]): string {
  return calls.length === 0 ? "" : (writers[format] ?? plain)(calls);
}
