/** End tags that come late, after text that followed a call: markup of that call, and therefore no text. */
import { at, type Reader } from "../scan/input.ts";
import type { Opener, Session } from "../scan/session.ts";
import type { FormatId } from "../types.ts";

/** `always`: the literal is a special token that is never text. */
export function strayEndOpener(literal: string, format: FormatId, always = false): Opener {
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
  if (!(always || awaitedEnds.has(literal)) || !(yield* at(input, literal))) return false;
  input.pos += literal.length;
  awaitedEnds.delete(literal);
  return true;
}
