/**
 * A message to a function whose marks are special tokens that the server left out: `commentary to=functions.read_file json{"path": "a.txt"}`.
 * Only for a tool on offer and with an object after its name; nothing else looks so.
 */
import { openBrace } from "../scan/characters.ts";
import { at, endOf, type Input, isNameChar, peek, type Reader, spaceEnd } from "../scan/input.ts";
import { framedOpener, type Opener, type Session } from "../scan/session.ts";
import { readToolBody } from "./tool-body.ts";

const literal = "to=functions.";

export function unmarkedMessageOpener(): Opener {
  return framedOpener(literal, "harmony", readMessage, "word");
}

function* readMessage(session: Session, mark: number): Reader<boolean> {
  const { input } = session;
  const length = yield* headerLength(session);
  if ((yield* peek(input, length)) !== openBrace) return false;
  const header = input.text.slice(input.pos + literal.length, input.pos + length).trim();
  // The kind of the body may come right after the name.
  const name = [header, header.replace(/\s*(?:json|code)$/, "")].find(
    (name) => session.tools.resolve(name) !== undefined,
  );
  if (name === undefined) return false;
  input.pos += length;
  session.addressed = true;
  return yield* readToolBody(session, mark, name, endsHere);
}

/** Returns how far it is to what follows the name and a word after it. */
function* headerLength({ input }: Session): Reader<number> {
  let length = literal.length;
  for (let words = 0; words < 2; words += 1) {
    length = yield* endOf(input, length, 200 - length, isNameChar);
    length = yield* spaceEnd(input, length, 200 - length);
  }
  return length;
}

/** The object ends the message; a mark does as well. */
const endsHere = (input: Input) => at(input, "<|");
