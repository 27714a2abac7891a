/** End tags that come late, after text that followed a call: markup of that call, and therefore no text. */
import { at, isSpace, peek, type Reader } from "../scan/input.ts";
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
  if (!(yield* at(input, literal))) return false;
  if (!(always || awaitedEnds.has(literal) || (yield* callFollows(session, literal)))) return false;
  input.pos += literal.length;
  awaitedEnds.delete(literal);
  return true;
}

/** Right in front of a call an end tag without a beginning is a slip of the model. */
function* callFollows(session: Session, literal: string): Reader<boolean> {
  const { input } = session;
  let ahead = literal.length;
  while (ahead < literal.length + 20 && isSpace(yield* peek(input, ahead))) ahead++;
  for (const open of ["<function=", "<tool_call>"]) if (yield* at(input, open, ahead)) return true;
  return false;
}
