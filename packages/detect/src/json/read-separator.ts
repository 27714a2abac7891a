/** Reads what stands between the members of a JSON container: commas, closers and the keys of an object. */
import { type Input, isWordChar, type Reader } from "../scan/input.ts";
import { readBareKey } from "./read-bare.ts";
import { readString } from "./read-string.ts";
import { type JsonReading, noteRepair } from "./result.ts";
import { skipBlank } from "./skip-blank.ts";

/** What has been seen of a separator. */
export interface Separation {
  /** Whether a comma has come, or none is needed in front of the first member. */
  comma: boolean;
  /** Whether a comma has come. */
  trailing: boolean;
}

/** `closed` when the container ends here, `value` when a key or an item follows, `stop` when neither does. */
export type SeparatorEnd = "closed" | "value" | "stop";

/** Deals with the character of that code, which is the current one; undefined when the separator goes on behind it. */
export function separationAt(
  input: Input,
  reading: JsonReading,
  kind: "object" | "list",
  seen: Separation,
  code: number,
): SeparatorEnd | undefined {
  if (code === 44) {
    if (seen.comma) noteRepair(reading.repairs, "trailing-comma");
    seen.comma = true;
    seen.trailing = true;
    input.pos++;
    return undefined;
  }
  if (code === (kind === "object" ? 125 : 93)) {
    if (seen.trailing) noteRepair(reading.repairs, "trailing-comma");
    input.pos++;
    return "closed";
  }
  if (code === -1) {
    reading.outcome = "cut";
    return "stop";
  }
  // An end tag, or the closer of a container further out, where this one was left open.
  if (reading.lenient && (code === 60 || code === 125 || code === 93)) {
    noteRepair(reading.repairs, "missing-closer");
    return "closed";
  }
  if (!seen.comma) {
    if (code !== 34 && code !== 39 && code !== 123) {
      reading.outcome = "broken";
      return "stop";
    }
    noteRepair(reading.repairs, "missing-comma");
  }
  return "value";
}

/** Reads a comma or a closer; none is needed in front of the first member, where `fresh` is set. */
export function* readSeparator(
  input: Input,
  reading: JsonReading,
  kind: "object" | "list",
  fresh: boolean,
): Reader<SeparatorEnd> {
  const seen: Separation = { comma: fresh, trailing: false };
  for (;;) {
    const end = separationAt(input, reading, kind, seen, yield* skipBlank(input, reading));
    if (end !== undefined) return end;
  }
}

/** Reads a key and the colon after it; undefined when there is none. */
export function* readKey(input: Input, reading: JsonReading, depth: number): Reader<string | undefined> {
  // A separator has been read up to the key, which is therefore in the window.
  const code = input.look(0);
  let key: string;
  if (code === 34 || code === 39) {
    key = yield* readString(input, reading, "key", depth);
  } else if (reading.lenient && (isWordChar(code) || code === 36)) {
    key = yield* readBareKey(input, reading);
  } else {
    reading.outcome = "broken";
    return undefined;
  }
  if (reading.outcome !== "whole") return undefined;
  const colon = yield* skipBlank(input, reading);
  if (colon !== 58) {
    reading.outcome = colon === -1 ? "cut" : "broken";
    return undefined;
  }
  input.pos++;
  return key;
}
