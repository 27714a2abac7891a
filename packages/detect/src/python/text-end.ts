/**
 * Decides if a quote ends a text of Python, by what follows it. In valid Python a comma, a closing bracket, a colon or another
 * text follows. Any other quote is one that the model did not escape.
 */
import {
  asterisk,
  backtick,
  closeBrace,
  closeBracket,
  closeParen,
  colon,
  comma,
  doubleQuote,
  equals,
  hyphen,
  lessThan,
  openBrace,
  openBracket,
  openParen,
  singleQuote,
  slash,
} from "../scan/characters.ts";
import { type Input, isNameChar, isSpace, isWordChar } from "../scan/input.ts";
import { opensText } from "../scan/quotes.ts";

/** The place of a value, which decides what may follow it. */
export interface PythonPlace {
  readonly kind: "argument" | "positional" | "item" | "member" | "key";
  /** True if the call has markup, so that words need no quotes, and a text with open quotes may have several lines. */
  readonly isMarked: boolean;
  /** True if texts may have quotes without escapes. */
  readonly mendsQuotes: boolean;
  /** True if the call is an item of a list, so that a comma or `]` must follow it. */
  readonly inList: boolean;
}

const hash = 35;

/** The maximum lookahead after a quote, in characters. If it is not enough to decide, the quote ends the text. */
const lookAhead = 200;

/** Returns true if the quotes here, `length` of them, can end the text. Sets `input.short` if the window is too short to know. */
export function endsText(input: Input, place: PythonPlace, length: number): boolean {
  if (!place.mendsQuotes || place.kind === "key") return true;
  const code = input.look(length);
  if (code !== doubleQuote && code !== singleQuote) return canFollow(input, place, length);
  // In `"say "hi""` the second quote is the end. In `"a""b"` a text follows.
  return code !== input.look(0) || length > 1 || !canFollow(input, place, 2);
}

const closersOf: { readonly [kind in PythonPlace["kind"]]: readonly number[] } = {
  argument: [closeParen],
  positional: [closeParen],
  item: [closeBracket, closeParen, closeBrace],
  member: [closeBrace],
  key: [],
};

function isCloser(code: number): boolean {
  return code === closeParen || code === closeBracket || code === closeBrace;
}

/** Returns true if the text at the distance `start` can follow a value at this place. */
function canFollow(input: Input, { kind, inList }: PythonPlace, start: number): boolean {
  let ahead = spaceEnd(input, start);
  let code = input.look(ahead);
  if (code === -1 || ahead - start > lookAhead) return true;
  if (code === comma) return canFollowComma(input, kind, spaceEnd(input, ahead + 1));
  if (code === doubleQuote || code === singleQuote) return ahead > start;
  if (code === lessThan) return isMark(input, ahead);
  if (!closersOf[kind].includes(code)) return false;
  let last = code;
  let isApart = false;
  for (; isCloser(code); code = input.look(ahead)) {
    last = code;
    const next = spaceEnd(input, ahead + 1);
    isApart = next > ahead + 1;
    ahead = next;
    if (ahead - start > lookAhead) return true;
  }
  if (code === -1 || code === comma || code === backtick || isMark(input, ahead)) return true;
  return last === closeBracket || (!inList && (isApart || isWordChar(code)));
}

const valueStarts = [openBrace, openBracket, openParen, hyphen];

/** Returns true if an argument, an item or a member begins at the distance `ahead`, or if the container ends there. */
function canFollowComma(input: Input, kind: PythonPlace["kind"], ahead: number): boolean {
  const code = input.look(ahead);
  if (code === -1 || isCloser(code) || code === asterisk || code === hash) return true;
  const mayBeValue = kind === "item" || kind === "positional";
  if (mayBeValue && (opensText(code, true) || valueStarts.includes(code))) return true;
  // After an argument with a name only further names are valid.
  if (opensText(code, true)) return kind === "member" || isQuotedName(input, ahead);
  let end = ahead;
  while (end - ahead < lookAhead && (isNameChar(input.look(end)) || input.look(end) > 127)) end += 1;
  const word = input.text.slice(input.pos + ahead, input.pos + end);
  if (mayBeValue && /^(?:\d[-+\w.]*|True|False|None|true|false|null)$/.test(word)) return true;
  const next = input.look(spaceEnd(input, end));
  return word !== "" && (next === -1 || next === colon || (kind !== "member" && next === equals));
}

/** Returns true if a name in quotes, and `=` or a colon, are at the distance `ahead`. */
function isQuotedName(input: Input, ahead: number): boolean {
  let end = ahead + 1;
  while (end - ahead < 60 && isNameChar(input.look(end))) end += 1;
  if (input.look(end) !== input.look(ahead)) return input.look(end) === -1;
  const next = input.look(spaceEnd(input, end + 1));
  return next === -1 || next === equals || next === colon;
}

const bar = 124;
const wideBar = 0xff5c;

/** Returns true if a special token (`<|end|>`, `<end|>`) or an end tag begins at the distance `ahead`. */
function isMark(input: Input, ahead: number): boolean {
  if (input.look(ahead) !== lessThan) return false;
  const next = input.look(ahead + 1);
  if (next === -1 || next === slash || next === bar || next === wideBar) return true;
  let end = ahead + 1;
  while (end - ahead < 60 && isNameChar(input.look(end))) end += 1;
  return input.look(end) === -1 || (end > ahead + 1 && input.look(end) === bar);
}

/** Returns the distance of the first character from `ahead` on that is not white space. It stops at the lookahead limit. */
function spaceEnd(input: Input, ahead: number): number {
  let index = ahead;
  while (index - ahead <= lookAhead && isSpace(input.look(index))) index += 1;
  return index;
}
