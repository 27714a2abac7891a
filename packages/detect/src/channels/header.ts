/**
 * Reads the header of a message: marks, words and a recipient in any order, with white space between them. It ends with
 * `<|message|>`. If that mark is missing, a header with a recipient ends where the body begins.
 */
import { colon, doubleQuote, equals, lessThan, openBrace, singleQuote, slash } from "../scan/characters.ts";
import { at, type Input, isNameChar, isSpace, peek, type Reader } from "../scan/input.ts";

export const messageMark = "<|message|>";
const headerMarks = ["<|start|>", "<|channel|>", "<|constrain|>"];
const maxHeader = 300;
/** The maximum number of words in a header that have no place there, as in `commentary please to=functions.read_file`. */
const maxExtra = 6;
/** The maximum number of words and marks in a header that have white space after them. */
const maxWords = 20;

export interface Header {
  /** The length of the header, with `<|message|>`. */
  readonly length: number;
  readonly recipient: string | undefined;
  readonly channel: string | undefined;
  /** True if the header has a mark of Harmony for the channel. */
  readonly isHarmony: boolean;
  /** True if the header is only `<|message|>`. */
  readonly isBare: boolean;
  readonly isMarked: boolean;
  /** The number of words that have no place in a header. */
  readonly extra: number;
  /** True if all words but the recipient are words of Harmony. */
  readonly isPlain: boolean;
}

/** Returns the header at the current position; undefined if there is none. Does not move. */
export function* headerHere(input: Input): Reader<Header | undefined> {
  let words = 0;
  for (let length = 0; length < maxHeader && words < maxWords; length += 1) {
    const code = yield* peek(input, length);
    if (isSpace(code)) {
      if (!isSpace(input.text.charCodeAt(input.pos + length - 1))) words += 1;
      continue;
    }
    if (code === lessThan) {
      if (yield* at(input, messageMark, length)) return parse(input, length, true);
      const mark = yield* markAt(input, length);
      if (mark === undefined) return unmarked(input, length);
      length += mark.length - 1;
    } else if (code === openBrace) return unmarked(input, length);
    else if (code === -1 || !isHeaderChar(code)) return undefined;
  }
  return undefined;
}

function* markAt(input: Input, ahead: number): Reader<string | undefined> {
  for (const mark of headerMarks) if (yield* at(input, mark, ahead)) return mark;
  return undefined;
}

/** Returns true for the characters of words, names and recipients. */
function isHeaderChar(code: number): boolean {
  return isNameChar(code) || code > 127 || otherChars.includes(code);
}

const otherChars: readonly number[] = [colon, slash, equals, doubleQuote, singleQuote];

function unmarked(input: Input, length: number): Header | undefined {
  const header = parse(input, length, false);
  return header?.recipient === undefined || !header.isPlain ? undefined : header;
}

const plainWords = /^(?:assistant|analysis|commentary|final)$/;

/** Returns the parts of a header of a known length; undefined if it has words that have no place there, or too many of them. */
function parse({ text, pos }: Input, length: number, isMarked: boolean): Header | undefined {
  const words: { [after: string]: string } = {};
  let extra = 0;
  let isPlain = true;
  const written = text.slice(pos, pos + length);
  // The prompt may have the mark before the first word.
  let after = /^(?:analysis|commentary|final)\b/.test(written) ? "<|channel|>" : "<|start|>";
  for (const token of written.match(/<\|\w+\|>|to=|(?:(?!to=)[^\s<])+/g) ?? []) {
    if (token === "to=" || headerMarks.includes(token)) {
      after = token;
      words[token] ??= "";
    } else if (after === "to=" || !/^(?:json|code)$/.test(token)) {
      if (after !== "to=" && !plainWords.test(token)) isPlain = false;
      if (after === "") extra += 1;
      else words[after] = token;
      after = "";
    }
  }
  const channel = words["<|channel|>"];
  const recipient = words["to="]?.replace(/^["']|["']$/g, "") || functionOf(channel);
  if (extra > (recipient === undefined ? 0 : maxExtra)) return undefined;
  return {
    length: length + (isMarked ? messageMark.length : 0),
    recipient,
    channel,
    isHarmony: channel !== undefined,
    isBare: length === 0,
    isMarked,
    extra,
    isPlain: isPlain && extra === 0,
  };
}

/** Returns the channel if it is a function: some models write the recipient there. */
function functionOf(channel: string | undefined): string | undefined {
  return channel?.startsWith("functions.") ? channel : undefined;
}

/** Returns true if a mark or a recipient follows the word at the current position, which may be in a header. */
export function* headerFollows(input: Input, word: string): Reader<boolean> {
  let ahead = word.length;
  while (ahead < word.length + 4 && isSpace(yield* peek(input, ahead))) ahead += 1;
  if (ahead > word.length && (yield* at(input, "to=", ahead))) return true;
  return (yield* at(input, messageMark, ahead)) || (yield* markAt(input, ahead)) !== undefined;
}
