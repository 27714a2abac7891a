/** The tokens of a family: its marks, the 256 bytes, and the pieces of what it writes, each of which occurs once. */
import type { Family } from "./families.ts";

export interface Vocabulary {
  /** As the file names them; the place is the number of the token. */
  readonly tokens: readonly string[];
  /** One of `kinds` for each. */
  readonly types: readonly number[];
  /** What the model writes, token after token, with the mark that it ends in. */
  readonly call: readonly number[];
  readonly answer: readonly number[];
  numberOf(text: string): number;
}

/** What the file says of a token. */
export const kinds = { text: 1, control: 3, shown: 4 } as const;

const pieceBytes = 5;

export function vocabularyOf(family: Family): Vocabulary {
  const tokens = [...family.marks.map(({ text }) => text), ...byteLetters];
  const types = [...family.marks.map(({ kind }) => kinds[kind]), ...byteLetters.map(() => kinds.text)];
  const numbers = new Map(tokens.map((token, number) => [token, number]));
  const used = new Set<number>();
  const numberOf = (text: string): number => {
    const number = numbers.get(text) ?? numbers.get(inLetters(text));
    if (number === undefined) throw new Error(`No token of ${family.name} is ${JSON.stringify(text)}.`);
    return number;
  };
  const use = (number: number): number => {
    if (used.has(number)) throw new Error(`${family.name} writes ${tokens[number]} twice: no chain can.`);
    used.add(number);
    return number;
  };
  const add = (piece: string): number => {
    numbers.set(piece, tokens.length);
    types.push(kinds.text);
    return tokens.push(piece) - 1;
  };
  const chain = ({ text, end }: Family["call"]): number[] => [
    ...aroundFirstMark(text, family).flatMap((part) =>
      numbers.has(inLetters(part)) || family.marks.some((mark) => mark.text === part)
        ? [use(numberOf(part))]
        : cutIntoPieces(inLetters(part), numbers).map(add),
    ),
    numberOf(end),
  ];
  return { tokens, types, numberOf, call: chain(family.call), answer: chain(family.answer) };
}

/** What stands before the first mark, the mark, and what follows it. The model writes that mark as one token, and all others as text. */
function aroundFirstMark(text: string, { marks }: Family): string[] {
  const places = marks.map((mark) => ({ mark: mark.text, at: text.indexOf(mark.text) }));
  const [first] = places.filter(({ at }) => at >= 0).sort((one, other) => one.at - other.at);
  if (first === undefined) return [text];
  const after = first.at + first.mark.length;
  return [text.slice(0, first.at), first.mark, text.slice(after)].filter((part) => part !== "");
}

/** Pieces of a few letters each, of which none is taken and none is like another. */
export function cutIntoPieces(letters: string, taken: ReadonlyMap<string, unknown>): string[] {
  const pieces: string[] = [];
  const isFree = (piece: string) => !taken.has(piece) && !pieces.includes(piece);
  for (let from = 0; from < letters.length; ) {
    let to = Math.min(from + pieceBytes, letters.length);
    while (to < letters.length && !isFree(letters.slice(from, to))) to += 1;
    let piece = letters.slice(from, to);
    while (!isFree(piece)) {
      const before = pieces.pop();
      if (before === undefined) throw new Error(`Every piece of ${JSON.stringify(letters)} is taken.`);
      piece = before + piece;
    }
    pieces.push(piece);
    from = to;
  }
  return pieces;
}

/** A letter for each byte, the way GPT-2 writes them: what prints is itself, the others come from beyond Latin-1. */
const byteLetters = lettersOfBytes();

function lettersOfBytes(): string[] {
  let next = 256;
  const prints = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(prints(byte) ? byte : next++));
}

/** The bytes of a text, a letter for each. */
export function inLetters(text: string): string {
  return Array.from(Buffer.from(text), (byte) => byteLetters[byte]).join("");
}
