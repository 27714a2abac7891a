/** Whether a text tells of a call: its name, then its arguments with their values, in order and close to one another. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { lettersOf } from "./without-quoting.ts";

/** Letters that markup may put between the name and an argument, or between two. */
const betweenArguments = 40;
/** Letters that markup may put between the name of an argument and its value. */
const betweenNameAndValue = 24;
/** More places than that where the name stands are not looked at one by one: the text is then taken to tell of the call. */
const mostPlaces = 5_000;
/** Arguments and values beyond are not compared, nor is more of each: what is the same so far is told of. */
const mostPieces = 50;
const longestPiece = 2_000;

export interface Piece {
  readonly letters: string;
  /** How many letters may be in front of it, behind the piece before. */
  readonly gap: number;
}

/** What is looked for; undefined for a call of which nothing but a name would be looked for. */
export function piecesOf(name: string, args: JsonObject): readonly Piece[] | undefined {
  const values = Object.entries(args).flatMap(([key, value]) => piecesOfValue(value, key));
  const pieces = values.filter(({ letters }) => letters !== "");
  if (!pieces.some(({ gap }) => gap === betweenNameAndValue)) return undefined;
  return [{ letters: lettersOf(name), gap: 0 }, ...pieces.slice(0, mostPieces)];
}

function piecesOfValue(value: JsonValue, key: string): readonly Piece[] {
  if (Array.isArray(value)) return [keyPiece(key), ...value.flatMap((one) => piecesOfValue(one, ""))];
  if (isJsonObject(value))
    return [keyPiece(key), ...Object.entries(value).flatMap(([inner, one]) => piecesOfValue(one, inner))];
  const letters = lettersOf(String(value)).slice(0, longestPiece);
  return [keyPiece(key), { letters, gap: betweenNameAndValue }];
}

function keyPiece(key: string): Piece {
  return { letters: lettersOf(key), gap: betweenArguments };
}

/** `letters` is a text as `lettersOf` gives it. Takes a time that grows with its length alone. */
export function isToldIn(letters: string, pieces: readonly Piece[]): boolean {
  const [name, ...rest] = pieces;
  if (name === undefined || rest.some((piece) => !letters.includes(piece.letters))) return false;
  let places = 0;
  for (let at = letters.indexOf(name.letters); at >= 0; at = letters.indexOf(name.letters, at + 1)) {
    if (++places > mostPlaces || followsAt(letters, at + name.letters.length, rest)) return true;
  }
  return false;
}

function followsAt(letters: string, from: number, pieces: readonly Piece[]): boolean {
  let end = from;
  for (const piece of pieces) {
    const start = startWithin(letters, end, piece);
    if (start === undefined) return false;
    end = start + piece.letters.length;
  }
  return true;
}

function startWithin(letters: string, from: number, { letters: wanted, gap }: Piece): number | undefined {
  for (let at = from; at <= from + gap; at++) if (letters.startsWith(wanted, at)) return at;
  return undefined;
}
