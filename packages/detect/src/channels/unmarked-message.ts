/**
 * Reads a message to a function without its marks, which are special tokens that some servers leave out:
 * `commentary to=functions.read_file json{"path": "a.txt"}`. The name must be that of a tool on offer, and an object must follow.
 */
import type { ToolIndex } from "../call/tool-index.ts";
import { openBrace } from "../scan/characters.ts";
import { at, endOf, type Input, isNameChar, peek, type Reader, spaceEnd } from "../scan/input.ts";
import { framelessOpener, type Opener, type Scan } from "../scan/scan.ts";
import { readToolBody } from "./tool-body.ts";

const literal = "to=functions.";

export function unmarkedMessageOpener(): Opener {
  return framelessOpener(literal, "harmony", readMessage, "word");
}

function* readMessage(scan: Scan, mark: number): Reader<boolean> {
  const { input } = scan;
  const length = yield* headerLength(scan);
  if ((yield* peek(input, length)) !== openBrace) return false;
  const header = input.text.slice(input.pos + literal.length, input.pos + length).trim();
  const name = meantName(scan.tools, header);
  if (name === undefined) return false;
  input.pos += length;
  scan.addressed = true;
  return yield* readToolBody(scan, mark, name, endsHere);
}

/** Returns the name of a tool on offer in a recipient, which may have the type of the body at its end; undefined if there is none. */
export function meantName(tools: ToolIndex, recipient: string): string | undefined {
  const names = [recipient, recipient.replace(/\s*(?:json|code)$/, "")];
  return (
    names.find((name) => tools.exact(name) !== undefined) ??
    names.find((name) => tools.resolve(name) !== undefined)
  );
}

/** Returns the distance to the text after the name and one more word. */
function* headerLength({ input }: Scan): Reader<number> {
  let length = literal.length;
  for (let words = 0; words < 2; words += 1) {
    length = yield* endOf(input, length, 200 - length, isNameChar);
    length = yield* spaceEnd(input, length, 200 - length);
  }
  return length;
}

/** Returns true if a mark ends the message here. Without a mark the end of the object ends it. */
const endsHere = (input: Input) => at(input, "<|");
