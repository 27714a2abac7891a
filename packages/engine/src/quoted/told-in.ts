/** Finds a call in the words of a text: its name, then its arguments and values, in order and close together. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { wordsOf } from "./without-quoting.ts";

/** The maximum number of characters between the name and an argument, or between two arguments. */
const maxBeforeArgument = 50;
/** The maximum number of characters between the name of an argument and its value. */
const maxBeforeValue = 30;
/**
 * The maximum number of occurrences of the name that are checked. A text with more occurrences counts as a text that contains
 * the call.
 */
const maxPlaces = 5_000;
/** The maximum number of pieces of a call that are compared. */
const maxPieces = 50;
/** The maximum number of characters of a value that are compared. */
const maxPieceChars = 2_000;
/** A value with more characters than this may end within a word of the text, because a part of a text is a copy too. */
const minPartialChars = 12;

export interface Piece {
  /** Words with a space before them. A space after them means that the last word must be whole. */
  readonly words: string;
  /** The maximum number of characters between the previous piece and this piece. */
  readonly gap: number;
}

/** Returns the pieces to look for; undefined for a call without values, which would be found by its name alone. */
export function piecesOf(name: string, args: JsonObject): readonly Piece[] | undefined {
  const values = Object.entries(args).flatMap(([key, value]) => piecesOfValue(value, key));
  const pieces = values.filter(({ words }) => words !== "");
  if (!pieces.some(({ gap }) => gap === maxBeforeValue)) return undefined;
  return [{ words: wordsOf(name), gap: 0 }, ...pieces.slice(0, maxPieces)];
}

function piecesOfValue(value: JsonValue, key: string): readonly Piece[] {
  if (Array.isArray(value)) return [keyPiece(key), ...value.flatMap((one) => piecesOfValue(one, ""))];
  if (isJsonObject(value)) {
    return [keyPiece(key), ...Object.entries(value).flatMap(([inner, one]) => piecesOfValue(one, inner))];
  }
  const words = wordsOf(String(value)).slice(0, maxPieceChars);
  const part = words.length > minPartialChars ? words.trimEnd() : words;
  return [keyPiece(key), { words: part, gap: maxBeforeValue }];
}

function keyPiece(key: string): Piece {
  return { words: wordsOf(key), gap: maxBeforeArgument };
}

/** Returns true if the text contains the call. `words` comes from `wordsOf`. The time is linear in the length of the text. */
export function isToldIn(words: string, pieces: readonly Piece[]): boolean {
  const [name, ...rest] = pieces;
  if (name === undefined || rest.some((piece) => !words.includes(piece.words))) return false;
  let places = 0;
  for (let at = words.indexOf(name.words); at >= 0; at = words.indexOf(name.words, at + 1)) {
    places += 1;
    if (places > maxPlaces || followsAt(words, at + name.words.length - 1, rest)) return true;
  }
  return false;
}

function followsAt(words: string, from: number, pieces: readonly Piece[]): boolean {
  let end = from;
  for (const piece of pieces) {
    const start = startWithin(words, end, piece);
    if (start === undefined) return false;
    // The space after a word is also the space before the next one.
    end = start + piece.words.length - (piece.words.endsWith(" ") ? 1 : 0);
  }
  return true;
}

function startWithin(text: string, from: number, { words, gap }: Piece): number | undefined {
  for (let at = from; at <= from + gap; at += 1) if (text.startsWith(words, at)) return at;
  return undefined;
}
