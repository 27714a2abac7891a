/** Builds the tokens of a family: its marks, the 256 bytes, and the pieces of its texts, each of which occurs once. */
import type { Family } from "./families.ts";

export interface Vocabulary {
  /** The tokens as the file spells them; the index is the number of the token. */
  readonly tokens: readonly string[];
  /** The type of each token, one of `kinds`. */
  readonly types: readonly number[];
  /** The tokens that the model writes as call and as answer, each with its end mark. */
  readonly call: readonly number[];
  readonly answer: readonly number[];
  numberOf(text: string): number;
}

/** The token types of the GGUF file. */
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

/** Splits a text around its first mark. The model writes that mark as one token, and all others as text. */
function aroundFirstMark(text: string, { marks }: Family): string[] {
  const places = marks.map((mark) => ({ mark: mark.text, at: text.indexOf(mark.text) }));
  const [first] = places.filter(({ at }) => at >= 0).sort((one, other) => one.at - other.at);
  if (first === undefined) return [text];
  const after = first.at + first.mark.length;
  return [text.slice(0, first.at), first.mark, text.slice(after)].filter((part) => part !== "");
}

/** Splits letters into short pieces that are neither taken nor equal to each other. */
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

/** The letter for each byte as in GPT-2: printable bytes are themselves, the others are letters after Latin-1. */
const byteLetters = lettersOfBytes();

function lettersOfBytes(): string[] {
  let next = 256;
  const prints = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(prints(byte) ? byte : next++));
}

/** Returns the bytes of a text in UTF-8, one letter for each. */
export function inLetters(text: string): string {
  return Array.from(Buffer.from(text), (byte) => byteLetters[byte]).join("");
}
