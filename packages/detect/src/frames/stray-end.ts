/** End tags that come late, after text that followed a call: markup of that call, and therefore no text. */
import { at, type Reader, spaceEnd } from "../scan/input.ts";
import type { Opener, Session } from "../scan/session.ts";
import type { CallFormat } from "../types.ts";

/** `always`: the literal is a special token that is never text. */
export function strayEndOpener(literal: string, format: CallFormat, always = false): Opener {
  return {
    literal,
    format,
    standing: "anywhere",
    kind: "end",
    read: (session) => readStrayEnd(session, literal, always),
  };
}

function* readStrayEnd(session: Session, literal: string, always: boolean): Reader<boolean> {
  const { input, awaitedEnds } = session;
  if (!(yield* at(input, literal))) return false;
  // A text that explains calls shows their end tags too.
  if (session.onlyAlone && !session.out.holdsResult()) return false;
  const isMarkup = always || awaitedEnds.has(literal);
  const slip = isMarkup ? literal.length : yield* lengthOfSlip(session, literal);
  if (slip === undefined) return false;
  input.pos += slip;
  awaitedEnds.delete(literal);
  return true;
}

/**
 * Returns the length of an end tag right before a call, which is a slip of the model. If the call lacks its opening tag, the
 * end tag replaces it, and the white space between them is layout.
 */
function* lengthOfSlip(session: Session, literal: string): Reader<number | undefined> {
  const { input } = session;
  const ahead = yield* spaceEnd(input, literal.length, 20);
  if (yield* at(input, "<function=", ahead)) return ahead;
  return (yield* at(input, "<tool_call>", ahead)) ? literal.length : undefined;
}
