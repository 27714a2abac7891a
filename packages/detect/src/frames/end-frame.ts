/** Reads the end of a call's frame: the end tag, half of it, another end tag, or nothing. */
import type { CallDraft } from "../call/draft.ts";
import { noteRepair } from "../json/result.ts";
import { closeBrace, closeBracket, colon, greaterThan, hyphen, lessThan } from "../scan/characters.ts";
import {
  at,
  endOf,
  type Input,
  isSpace,
  isWordChar,
  peek,
  type Reader,
  skipSpace,
  takeFirst,
} from "../scan/input.ts";
import type { Scan } from "../scan/scan.ts";
import type { Repair } from "../types.ts";
import { assumeEnd, halfHere } from "./unfinished.ts";

/** The maximum number of characters that are searched for the end tag of an unreadable call. */
const searchLimit = 4096;

/** The maximum length of a word that is dropped before an end tag, in characters. */
const maxWord = 40;

/**
 * Moves past the end of a frame, and adds repairs to its last call. If the end tag is missing, goes back to `afterBody`, so
 * that the white space after the call stays text; a later end tag is dropped. With `optional`, its absence is not a repair.
 */
export function* endFrame(
  scan: Scan,
  ends: readonly string[],
  last: CallDraft,
  afterBody: number = scan.input.offset,
  optional = false,
): Reader<void> {
  const { input } = scan;
  for (let code = yield* skipSpace(input); ; code = yield* skipSpace(input)) {
    const step = yield* readEnd(input, ends, code);
    if (step === "end") return;
    if (step === "none" && (code === closeBrace || code === closeBracket)) {
      input.pos += 1;
      noteRepair(last.repairs, "extra-closer");
      continue;
    }
    if (step === "wrong-end-tag") {
      noteRepair(last.repairs, step);
      continue;
    }
    if (step === "none" && input.offset === afterBody && (yield* skipWord(input, ends))) {
      noteRepair(last.repairs, "comment");
      continue;
    }
    if (step !== "none" || !optional) assumeEnd(input, last, step === "none" ? "missing-end-tag" : step);
    if (step === "none" && code !== -1) {
      input.rewind(afterBody);
      for (const end of ends) scan.awaitedEnds.add(end);
    }
    return;
  }
}

type EndStep = "end" | "none" | Extract<Repair, "half-end-tag" | "wrong-end-tag">;

function* readEnd(input: Input, ends: readonly string[], code: number): Reader<EndStep> {
  if (ends.some((end) => end.charCodeAt(0) === code)) {
    if ((yield* takeFirst(input, ends)) !== undefined) return "end";
    const half = yield* halfHere(input, ends);
    if (half !== undefined) {
      input.pos += half.length;
      return "half-end-tag";
    }
  }
  return (yield* readOtherEndTag(input)) ? "wrong-end-tag" : "none";
}

/** Moves past an end tag whose name has at most 38 characters. Returns false if there is none. */
function* readOtherEndTag(input: Input): Reader<boolean> {
  if (!(yield* at(input, "</"))) return false;
  const end = yield* endOf(input, 2, 38, (code) => isWordChar(code) || code === colon || code === hyphen);
  if (end === 2 || (yield* peek(input, end)) !== greaterThan) return false;
  input.pos += end + 1;
  return true;
}

/** Moves over a word that is directly before the end tag of a frame. Returns false if there is none. */
export function* skipWord(input: Input, ends: readonly string[]): Reader<boolean> {
  const length = yield* endOf(input, 0, maxWord, (code) => code !== lessThan && !isSpace(code));
  for (const end of length === 0 ? [] : ends) {
    if (!(yield* at(input, end, length))) continue;
    input.pos += length;
    return true;
  }
  return false;
}

/** Moves to the end of an unreadable call: past its end tag, to the next `open`, or over `searchLimit` characters. */
export function* skipBroken(scan: Scan, open: string, ends: readonly string[]): Reader<void> {
  const { input } = scan;
  for (let count = 0; count < searchLimit; count += 1) {
    const code = yield* peek(input);
    if (code === -1) return;
    const mayEnd = ends.some((end) => end.charCodeAt(0) === code);
    if (mayEnd && (yield* takeFirst(input, ends)) !== undefined) return;
    if (code === open.charCodeAt(0) && (yield* at(input, open))) return;
    input.pos += 1;
  }
}
