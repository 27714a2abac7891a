/** Reads the text between members of a JSON container: commas, closing brackets and the keys of an object. */
import { closeBrace, closeBracket, colon, comma, dollar, lessThan, openBrace } from "../scan/characters.ts";
import { type Input, isWordChar, type Reader, take } from "../scan/input.ts";
import { isOtherColon, isOtherComma, opensText } from "../scan/quotes.ts";
import { readBareKey } from "./read-bare.ts";
import { readString } from "./read-string.ts";
import { type JsonReading, noteRepair } from "./result.ts";
import { skipBlank } from "./skip-blank.ts";

/** The part of a separator that has been read. */
export interface Separation {
  /** True after a comma, and before the first member, which needs none. */
  comma: boolean;
  /** True after a comma. It is a trailing comma if the container ends here. */
  trailing: boolean;
}

/** The end of a separator: the container ends (`closed`), a key or an item follows (`value`), or neither (`stop`). */
export type SeparatorEnd = "closed" | "value" | "stop";

/** Handles the current character, given by its code. Returns undefined if the separator continues after it. */
export function separationAt(
  input: Input,
  reading: JsonReading,
  kind: "object" | "list",
  seen: Separation,
  code: number,
): SeparatorEnd | undefined {
  const isOther = reading.lenient && isOtherComma(code);
  if (code === comma || isOther) {
    if (isOther) noteRepair(reading.repairs, "wrong-separator");
    if (seen.comma) noteRepair(reading.repairs, "trailing-comma");
    seen.comma = true;
    seen.trailing = true;
    input.pos += 1;
    return undefined;
  }
  if (code === (kind === "object" ? 125 : 93)) {
    if (seen.trailing) noteRepair(reading.repairs, "trailing-comma");
    input.pos += 1;
    return "closed";
  }
  if (code === -1) {
    reading.outcome = "cut";
    return "stop";
  }
  // An end tag, or the closer of an outer container, shows that the closer of this container is missing.
  if (reading.lenient && (code === lessThan || code === closeBrace || code === closeBracket)) {
    noteRepair(reading.repairs, "missing-closer");
    return "closed";
  }
  if (!seen.comma) {
    if (!opensText(code, reading.lenient) && code !== openBrace) {
      reading.outcome = "broken";
      return "stop";
    }
    noteRepair(reading.repairs, "missing-comma");
  }
  return "value";
}

/** Reads a comma or a closer. With `fresh` no comma is needed, because the first member follows. */
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

/** Moves over `=`, `=>` or a colon of Chinese texts. */
export function* takeOtherColon(input: Input, reading: JsonReading): Reader<void> {
  noteRepair(reading.repairs, "wrong-separator");
  if (!(yield* take(input, "=>"))) input.pos += 1;
}

/** Reads a key and the colon after it. Returns undefined and sets `reading.outcome` if one of them is missing. */
export function* readKey(input: Input, reading: JsonReading, depth: number): Reader<string | undefined> {
  // The separator has been read up to the key, so the key is in the window.
  const code = input.look(0);
  let key: string;
  if (opensText(code, reading.lenient)) {
    key = yield* readString(input, reading, "key", depth);
  } else if (reading.lenient && (isWordChar(code) || code === dollar)) {
    key = yield* readBareKey(input, reading);
  } else {
    reading.outcome = "broken";
    return undefined;
  }
  if (reading.outcome !== "whole") return undefined;
  const separator = yield* skipBlank(input, reading);
  if (reading.lenient && isOtherColon(separator)) {
    yield* takeOtherColon(input, reading);
    return key;
  }
  if (separator !== colon) {
    reading.outcome = separator === -1 ? "cut" : "broken";
    return undefined;
  }
  input.pos += 1;
  return key;
}
