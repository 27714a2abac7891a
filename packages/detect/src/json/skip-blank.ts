/** Moves over white space and comments between the parts of a JSON value. */
import { asterisk, carriageReturn, lineFeed, slash } from "../scan/characters.ts";
import { type Input, more, peek, type Reader, skipSpaceHere } from "../scan/input.ts";
import { type JsonReading, noteRepair } from "./result.ts";

/** Moves over white space, and comments if the reading is lenient. Returns the code of the next character, or -1 at the end. */
export function* skipBlank(input: Input, reading: JsonReading): Reader<number> {
  for (;;) {
    let code = skipSpaceHere(input);
    for (; code === more; code = skipSpaceHere(input)) yield;
    if (code !== slash || !reading.lenient) return code;
    const next = yield* peek(input, 1);
    if (next !== slash && next !== asterisk) return code;
    const start = input.hold();
    const ended = yield* skipComment(input, next === asterisk);
    // A comment without an end is not skipped, because it must not hide the end tag.
    if (!ended) input.rewind(start);
    input.release();
    if (!ended) return code;
    noteRepair(reading.repairs, "comment");
  }
}

function* skipComment(input: Input, block: boolean): Reader<boolean> {
  const kind = block ? "block" : "line";
  if (input.endless[kind]) return false;
  input.pos += 2;
  for (;;) {
    const code = yield* peek(input);
    if (code === -1) {
      input.endless[kind] = true;
      return false;
    }
    if (!block && (code === lineFeed || code === carriageReturn)) return true;
    input.pos += 1;
    if (block && code === asterisk && (yield* peek(input)) === slash) {
      input.pos += 1;
      return true;
    }
  }
}
