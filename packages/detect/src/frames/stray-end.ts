/** End tags that come late, after text that followed a call: markup of that call, and therefore no text. */
import { at, type Reader } from "../scan/input.ts";
import type { Opener, Session } from "../scan/session.ts";
import type { FormatId } from "../types.ts";

export function strayEndOpener(literal: string, format: FormatId): Opener {
  return {
    literal,
    format,
    standing: "anywhere",
    kind: "end",
    read: (session) => readStrayEnd(session, literal),
  };
}

function* readStrayEnd(session: Session, literal: string): Reader<boolean> {
  const { input } = session;
  if (!session.awaitedEnds.includes(literal) || !(yield* at(input, literal))) return false;
  input.pos += literal.length;
  session.awaitedEnds = [];
  return true;
}
