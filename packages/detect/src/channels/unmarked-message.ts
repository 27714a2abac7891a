/**
 * A message to a function whose marks are special tokens that the server left out: `commentary to=functions.read_file json{"path": "a.txt"}`.
 * Only for a tool on offer and with an object behind its name; nothing else looks like that.
 */
import { at, type Input, isSpace, isWordChar, peek, type Reader } from "../scan/input.ts";
import type { Opener, Session } from "../scan/session.ts";
import { readToolBody } from "./tool-body.ts";

const literal = "to=functions.";

export function unmarkedMessageOpener(): Opener {
  return { literal, format: "harmony", standing: "word", kind: "framed", read: readMessage };
}

function* readMessage(session: Session, mark: number): Reader<boolean> {
  const { input } = session;
  const length = yield* headerLength(session);
  if ((yield* peek(input, length)) !== 123) return false;
  const header = input.text.slice(input.pos + literal.length, input.pos + length).trim();
  // The kind of the body may stand right behind the name.
  const name = [header, header.replace(/\s*(?:json|code)$/, "")].find(
    (name) => session.tools.resolve(name) !== undefined,
  );
  if (name === undefined) return false;
  input.pos += length;
  session.addressed = true;
  return yield* readToolBody(session, mark, name, endsHere);
}

/** How far it is to what follows the name and a word behind it. */
function* headerLength({ input }: Session): Reader<number> {
  let length = literal.length;
  for (let words = 0; words < 2; words++) {
    let code = yield* peek(input, length);
    while (isNamePart(code) && length < 200) code = yield* peek(input, ++length);
    while (isSpace(code) && length < 200) code = yield* peek(input, ++length);
  }
  return length;
}

function isNamePart(code: number): boolean {
  return isWordChar(code) || code === 45 || code === 46;
}

/** The object ends the message; a mark does as well. */
const endsHere = (input: Input) => at(input, "<|");
