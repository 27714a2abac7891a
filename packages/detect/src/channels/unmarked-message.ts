/**
 * Reads a message to a function without its marks, which are special tokens that some servers leave out:
 * `commentary to=functions.read_file json{"path": "a.txt"}`. The name must be that of a tool on offer, and an object must follow.
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
  // The type of the body may follow the name without a space.
  const name = [header, header.replace(/\s*(?:json|code)$/, "")].find(
    (name) => session.tools.resolve(name) !== undefined,
  );
  if (name === undefined) return false;
  input.pos += length;
  session.addressed = true;
  return yield* readToolBody(session, mark, name, endsHere);
}

/** Returns the distance to the text after the name and one more word. */
function* headerLength({ input }: Session): Reader<number> {
  let length = literal.length;
  for (let words = 0; words < 2; words += 1) {
    length = yield* endOf(input, length, 200 - length, isNameChar);
    length = yield* spaceEnd(input, length, 200 - length);
  }
  return length;
}

/** Returns true if a mark ends the message here. Without a mark the end of the object ends it. */
const endsHere = (input: Input) => at(input, "<|");
