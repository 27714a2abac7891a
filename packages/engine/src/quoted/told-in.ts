/** Whether a text tells of a call: its name, then its arguments with their values, in order and close to one another. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { wordsOf } from "./without-quoting.ts";

/** Characters that markup may put between the name and an argument, or between two. */
const betweenArguments = 50;
/** Characters that markup may put between the name of an argument and its value. */
const betweenNameAndValue = 30;
/** More places than that where the name stands are not looked at one by one: the text is then taken to tell of the call. */
const mostPlaces = 5_000;
/** Arguments and values beyond are not compared, nor is more of each: what is the same so far is told of. */
const mostPieces = 50;
const longestPiece = 2_000;
/** A value as long as this may go on in the text: a part of what stands there is a copy as well. */
const partialFrom = 12;

export interface Piece {
  /** Begins with a blank, and ends with one where it has to be whole. */
  readonly words: string;
  /** How many characters may be in front of it, behind the piece before. */
  readonly gap: number;
}

/** What is looked for; undefined for a call of which nothing but a name would be looked for. */
export function piecesOf(name: string, args: JsonObject): readonly Piece[] | undefined {
  const values = Object.entries(args).flatMap(([key, value]) => piecesOfValue(value, key));
  const pieces = values.filter(({ words }) => words !== "");
  if (!pieces.some(({ gap }) => gap === betweenNameAndValue)) return undefined;
  return [{ words: wordsOf(name), gap: 0 }, ...pieces.slice(0, mostPieces)];
}

function piecesOfValue(value: JsonValue, key: string): readonly Piece[] {
  if (Array.isArray(value)) return [keyPiece(key), ...value.flatMap((one) => piecesOfValue(one, ""))];
  if (isJsonObject(value))
    return [keyPiece(key), ...Object.entries(value).flatMap(([inner, one]) => piecesOfValue(one, inner))];
  const words = wordsOf(String(value)).slice(0, longestPiece);
  const part = words.length > partialFrom ? words.trimEnd() : words;
  return [keyPiece(key), { words: part, gap: betweenNameAndValue }];
}

function keyPiece(key: string): Piece {
  return { words: wordsOf(key), gap: betweenArguments };
}

/** `words` is a text as `wordsOf` gives it. Takes a time that grows with its length alone. */
export function isToldIn(words: string, pieces: readonly Piece[]): boolean {
  const [name, ...rest] = pieces;
  if (name === undefined || rest.some((piece) => !words.includes(piece.words))) return false;
  let places = 0;
  for (let at = words.indexOf(name.words); at >= 0; at = words.indexOf(name.words, at + 1)) {
    if (++places > mostPlaces || followsAt(words, at + name.words.length - 1, rest)) return true;
  }
  return false;
}

function followsAt(words: string, from: number, pieces: readonly Piece[]): boolean {
  let end = from;
  for (const piece of pieces) {
    const start = startWithin(words, end, piece);
    if (start === undefined) return false;
    // The blank behind a word is the one in front of the next.
    end = start + piece.words.length - (piece.words.endsWith(" ") ? 1 : 0);
  }
  return true;
}

function startWithin(text: string, from: number, { words, gap }: Piece): number | undefined {
  for (let at = from; at <= from + gap; at++) if (text.startsWith(words, at)) return at;
  return undefined;
}
