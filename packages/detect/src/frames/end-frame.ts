/** Reads what closes a call's frame: the end tag, half of it, another one, or none. */
import type { Draft } from "../call/draft.ts";
import { noteRepair } from "../json/result.ts";
import { at, type Input, isWordChar, peek, type Reader, skipSpace } from "../scan/input.ts";
import type { Session } from "../scan/session.ts";
import type { Repair } from "../types.ts";
import { halfHere } from "./unfinished.ts";

/** How far a call that cannot be read is searched for its end tag. */
const searchLimit = 4096;

/**
 * Moves past the end of a frame whose last call is `last`; what had to be repaired is noted there. Without an end tag it
 * goes back to `afterBody`, so that what follows the call stays as it is.
 */
export function* endFrame(
  session: Session,
  ends: readonly string[],
  last: Draft,
  afterBody: number = session.input.offset,
  optional = false,
): Reader<void> {
  const { input } = session;
  for (let code = yield* skipSpace(input); ; code = yield* skipSpace(input)) {
    if (code === 125 || code === 93) {
      input.pos++;
      noteRepair(last.repairs, "extra-closer");
      continue;
    }
    const step = code === 60 || code === 91 ? yield* readEnd(input, ends) : "none";
    if (step === "end") return;
    if (step === "wrong-end-tag") {
      noteRepair(last.repairs, step);
      continue;
    }
    if (step !== "none") noteRepair(last.repairs, step);
    else if (!optional) noteRepair(last.repairs, "missing-end-tag");
    if (step === "none" && code !== -1) {
      input.rewind(afterBody);
      for (const end of ends) session.awaitedEnds.add(end);
    }
    return;
  }
}

type EndStep = "end" | "none" | Extract<Repair, "half-end-tag" | "wrong-end-tag">;

function* readEnd(input: Input, ends: readonly string[]): Reader<EndStep> {
  for (const end of ends) {
    if (yield* at(input, end)) {
      input.pos += end.length;
      return "end";
    }
  }
  const half = yield* halfHere(input, ends);
  if (half !== undefined) {
    input.pos += half.length;
    return "half-end-tag";
  }
  return (yield* readOtherEndTag(input)) ? "wrong-end-tag" : "none";
}

/** `</anything>`, at most 40 characters. */
function* readOtherEndTag(input: Input): Reader<boolean> {
  if (!(yield* at(input, "</"))) return false;
  for (let ahead = 2; ahead < 40; ahead++) {
    const code = yield* peek(input, ahead);
    if (code === 62 && ahead > 2) {
      input.pos += ahead + 1;
      return true;
    }
    if (!isWordChar(code) && code !== 58 && code !== 45) return false;
  }
  return false;
}

/** Moves to the end of a call that cannot be read: past its end tag, or up to the next opener or an empty line. */
export function* skipBroken(session: Session, open: string, ends: readonly string[]): Reader<void> {
  const { input } = session;
  for (let count = 0; count < searchLimit; count++) {
    const code = yield* peek(input);
    if (code === -1) return;
    for (const end of ends) {
      if (code === end.charCodeAt(0) && (yield* at(input, end))) {
        input.pos += end.length;
        return;
      }
    }
    if (code === open.charCodeAt(0) && (yield* at(input, open))) return;
    input.pos++;
  }
}
