/** Drops end tags that end no open call: late ones, whose call ended without one, special tokens, and slips before calls. */
import { at, type Reader, spaceEnd } from "../scan/input.ts";
import type { Opener, Scan } from "../scan/scan.ts";
import type { CallFormat } from "../types.ts";

/** Returns an opener that drops a late end tag; with `always`, each such tag; with `onlyAlone`, only right after a call. */
export function strayEndOpener(literal: string, format: CallFormat, always = false): Opener {
  const read: Opener["read"] = (scan) => readStrayEnd(scan, literal, always);
  return { literal, format, standing: "anywhere", kind: "end", read };
}

function* readStrayEnd(scan: Scan, literal: string, always: boolean): Reader<boolean> {
  const { input, awaitedEnds } = scan;
  if (!(yield* at(input, literal))) return false;
  // Text that explains calls also shows their end tags.
  if (scan.onlyAlone && !scan.out.holdsResult()) return false;
  const isMarkup = always || awaitedEnds.has(literal);
  const slip = isMarkup ? literal.length : yield* lengthOfSlip(scan, literal);
  if (slip === undefined) return false;
  input.pos += slip;
  awaitedEnds.delete(literal);
  return true;
}

/**
 * Returns the length of an end tag that the model wrote by mistake right before a call; undefined for any other end tag.
 * If the call lacks its opening tag, the length includes the white space after the end tag.
 */
function* lengthOfSlip(scan: Scan, literal: string): Reader<number | undefined> {
  const { input } = scan;
  const ahead = yield* spaceEnd(input, literal.length, 20);
  if (yield* at(input, "<function=", ahead)) return ahead;
  return (yield* at(input, "<tool_call>", ahead)) ? literal.length : undefined;
}
