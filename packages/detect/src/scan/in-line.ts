/**
 * Reads a call that has words before it on its line. It is text if the words after it show that it is in the middle of a
 * sentence, because then the sentence is about the call:
 * - A call without a frame, such as `<function=...>`, begins or ends its line. With words on both sides it is text.
 * - A call in a frame, or in JSON, is text in a sentence of three words or more that goes on after the call.
 */
import { lineFeed, space, tab } from "./characters.ts";
import { endOf, type Reader } from "./input.ts";
import {
  type FurthestRead,
  type Opener,
  openersHere,
  restoreState,
  type Scan,
  stateOf,
  tryOpeners,
} from "./scan.ts";
import { isAnnouncedAction } from "./standing.ts";

/** The maximum number of characters after a call that are looked at. */
const maxLook = 80;
/** The number of words before a call from which on they can be the beginning of a sentence. */
const minWords = 3;

/** How the words after a call on its line decide: any words make it text, or only words that continue a sentence. */
type LineRule = "words" | "sentence";

/** Returns the rule for a call that may begin here; undefined if the text before it on its line cannot make it text. */
export function lineRule(scan: Scan, openers: readonly Opener[]): LineRule | undefined {
  const begins = openers.filter(({ kind }) => kind !== "fence" && kind !== "end");
  const calls = begins.filter(({ kind }) => kind !== "thought");
  if (begins.length === 0 || scan.onlyAlone || scan.message !== undefined) return undefined;
  if (scan.thoughtEnds.length > 0) return undefined;
  const line = lineBefore(scan);
  if (isMarksOnly.test(line) || calls.some(({ format }) => format.startsWith("custom:"))) return undefined;
  if (calls.length > 0 && calls.every(({ frameless }) => frameless === true)) return "words";
  return mayContinue(line) && !isAnnouncedAction(line) ? "sentence" : undefined;
}

/** Returns the text before a call on its line. A server may have written a line feed as two characters. */
function lineBefore({ out }: Scan): string {
  const before = out.recentText();
  const escaped = before.lastIndexOf("\\n");
  return before.slice(Math.max(before.lastIndexOf("\n") + 1, escaped < 0 ? 0 : escaped + 2));
}

/** Matches the part of a line before a call if it has only white space and the marks of a list, a title or emphasis. */
const isMarksOnly = /^\s*(?:[-+*•]\s+|\d{1,3}[.)]\s+|#+\s+)?[\s*_#-]*$/;

/** Returns true if the line ends in a sentence that may continue: in words, and white space or an opening bracket. */
function mayContinue(line: string): boolean {
  return /[^.!?:;…\s][*_]*(?:\s+[([*_–—-]*|[([])$/u.test(line) && wordsIn(line) > 0;
}

/** Returns the number of words in a text. Each character of a script without spaces between words counts as one. */
function wordsIn(text: string): number {
  return text.match(/\p{Lo}|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_-]*/gu)?.length ?? 0;
}

/** Reads the call that begins here and the calls directly after it. If they are in a sentence, all of it becomes text. */
export function* readInLine(scan: Scan, calls: readonly Opener[], rule: LineRule): Reader<FurthestRead> {
  const { input, out } = scan;
  const line = lineBefore(scan);
  const isFirstLine = line === out.recentText();
  const state = stateOf(scan);
  const mark = input.hold();
  out.begin();
  const refusal = yield* tryOpeners(scan, calls);
  if (refusal !== undefined) {
    out.drop();
    input.release();
    return refusal;
  }
  out.noteCalls(mark, calls);
  const gap = yield* readFurtherCalls(scan);
  const rest = gap + (yield* restOfLine(scan));
  if (
    out.holdsResult() &&
    (rule === "words" ? wordsFollow(line, rest, isFirstLine) : continues(line, rest))
  ) {
    out.drop();
    restoreState(scan, state);
    out.shownText(input.rawFrom(mark));
  } else {
    out.commit();
  }
  scan.lastCode = lineFeed;
  input.release();
  return undefined;
}

/** Reads further calls on the same line, with only blanks before each. Returns the blanks after the last one, which it has read. */
function* readFurtherCalls(scan: Scan): Reader<string> {
  const { input, out } = scan;
  for (;;) {
    const length = yield* endOf(input, 0, maxLook, (code) => code === space || code === tab);
    const gap = input.text.slice(input.pos, input.pos + length);
    input.pos += length;
    out.text(gap);
    const found = (yield* openersHere(scan))?.values ?? [];
    const next = found.filter(({ kind }) => kind === "framed" || kind === "end");
    if (next.length === 0 || (yield* tryOpeners(scan, next)) !== undefined) return gap;
  }
}

/** Returns the text up to the end of the line, at most `maxLook` characters. */
function* restOfLine({ input }: Scan): Reader<string> {
  const length = yield* endOf(input, 0, maxLook, "\n\r");
  const [line = ""] = input.text.slice(input.pos, input.pos + length).split("\\n");
  return line;
}

/** Matches what may follow a call on its line without being words: end tags, special tokens, marks of thoughts and emphasis. */
const marksAfter = /^(?:[\s*_]|<\/[\w:.-]+>|<[|｜][^<>]*>|<[\w:]*think\w*>|\[\/[A-Z_]+\])*/;

/** Returns true if words follow a call on its line. A single plain word on each side of a call in the first line is no sentence. */
function wordsFollow(before: string, rest: string, isFirstLine: boolean): boolean {
  const words = rest.replace(marksAfter, "");
  return words !== "" && !(isFirstLine && /^\s*\p{L}+\s*$/u.test(before) && /^\p{L}+\s*(?:<|$)/u.test(words));
}

/**
 * Returns true if a call is in a sentence: in brackets, before a comma and a word, before the end of the sentence, or between
 * words in lower case, three or more before it and two or more after it.
 */
function continues(before: string, rest: string): boolean {
  const [sentence = ""] = rest.split("<");
  if (/[([][*_]*$/.test(before)) return /^[*_]*[)\]]/.test(sentence);
  if (/^[,;]\s+[\p{L}\p{N}]/u.test(sentence)) return true;
  const isLong = wordsIn(before) >= minWords;
  if (/^[.!?](?:\s|$)/.test(sentence)) return isLong;
  if (!/^\s[\s–—-]*[\p{Ll}\p{Lo}]/u.test(sentence)) return false;
  return (isLong && wordsIn(sentence) > 1) || /^[^.!?]*\.\s*$/.test(sentence);
}
