/**
 * Reads the part of bash that the shell does not expand: quoted and unquoted words, `&&` `||` `;` `|` and line ends between
 * calls, and redirections that discard or join output or read `/dev/null`. Patterns of file names and redirections to named files
 * make the command unclear, and are read all the same. Any other syntax ends the reading.
 */
import { defined } from "@localharness/protocol";

export interface PlainCall {
  readonly words: readonly string[];
  /** The operator after the call, `;` for a line end; `""` if the text ends there. */
  readonly after: "" | ";" | "&&" | "||" | "|";
}

/** A call with the places of its words in the text. Patterns stay as they are written. */
export interface LocatedCall extends PlainCall {
  /** Where each word begins in the text. */
  readonly at: readonly number[];
  /** Which of the words are patterns. A pattern is a whole word, or the value of an option such as `--include`. */
  readonly patterns: readonly number[];
}

export interface PlainReading {
  /** All calls; absent if the text has other syntax than calls, patterns and redirections. */
  readonly calls?: readonly LocatedCall[];
  /** The first reason why the text is not plain; absent if all of it is. */
  readonly unclear?: string;
  /** The files of the redirections that are not plain. */
  readonly files: readonly string[];
}

interface Input {
  readonly text: string;
  readonly files: string[];
  at: number;
  unclear: string | undefined;
}

/** Matches characters that have no special meaning in a word. `readUnquoted` takes `~` and `#` only after some of them. */
const plain = /[A-Za-z0-9_\-./:,+@%^=]+/y;
const blank = /[ ]+/y;
const incomplete = "it is not a whole command";

/** Matches a redirection to or from `/dev/null`, or one that joins the output with the error output. */
const redirection = /(?:(?:[12]?>>?|<) *\/dev\/null|2>&1|1?>&2)(?=[ \n;|]|&&|$)/y;
/** Matches a redirection to or from a file whose name is one plain word. */
const fileRedirection = /(?:\d*(?:>>?|<)|&>>?) *[\w\-./:,+@%^=]+(?![^\s;|&<>])/y;
/** Matches a whole word that may be a pattern of file names. */
const patternWord = /(?:--(?:include|exclude|exclude-dir|glob)=)?[\w\-./,+@%*?]+(?![^\s;|&])/y;

const reasons: Readonly<Record<string, string>> = {
  $: "it holds a $, which stands for something else when it runs",
  "`": "it holds a command inside backticks",
  "\\": "it holds a backslash outside quotes",
  "*": "it holds *, which stands for file names",
  "?": "it holds ?, which stands for file names",
  "[": "it holds [, which stands for file names or a test",
  "]": "it holds a bracket outside quotes",
  "~": "it holds ~, which stands for a folder",
  "{": "it holds a brace, which groups or repeats",
  "}": "it holds a brace, which groups or repeats",
  "(": "it holds a parenthesis: a subshell or a function",
  ")": "it holds a parenthesis: a subshell or a function",
  "!": "it holds ! outside quotes",
  ">": "its output goes into a file",
  "<": "its input comes from a file or a here-document",
  "&": "it runs something in the background",
  "\t": "it holds a tab",
};

export function readPlain(text: string): PlainReading {
  const input: Input = { text, files: [], at: 0, unclear: undefined };
  const calls = readCalls(input);
  const { files, unclear } = input;
  return { files, ...defined({ calls, unclear }) };
}

function readCalls(input: Input): readonly LocatedCall[] | undefined {
  const calls: LocatedCall[] = [];
  for (;;) {
    do skipEmptyLines(input);
    while (!matches(input, redirection) && takeFile(input));
    if (input.at === input.text.length) {
      return calls.length > 0 && mayEnd(calls) ? calls : stop(input, incomplete);
    }
    const call = readCall(input);
    if (call === undefined) return undefined;
    calls.push(call);
    const isAtEnd = input.at === input.text.length;
    if (call.after === "" && !isAtEnd) return stop(input, "it could not be read to its end");
  }
}

/** Ends the reading. The first reason counts. */
function stop(input: Input, reason: string): undefined {
  input.unclear ??= reason;
}

function mayEnd(calls: readonly PlainCall[]): boolean {
  const after = calls.at(-1)?.after;
  return after === "" || after === ";";
}

/** Skips blanks, line ends and comments before a call. */
function skipEmptyLines(input: Input): void {
  take(input, /(?:[ \n]|#[^\n]*)*/y);
}

function readCall(input: Input): LocatedCall | undefined {
  const words: string[] = [];
  const at: number[] = [];
  const patterns: number[] = [];
  for (;;) {
    take(input, blank);
    if (take(input, redirection) !== undefined || takeFile(input)) continue;
    const after = takeEnd(input);
    if (after !== undefined) {
      return words.length === 0 ? stop(input, incomplete) : { words, after, at, patterns };
    }
    at.push(input.at);
    const pattern = takePattern(input);
    if (pattern !== undefined) patterns.push(words.length);
    const word = pattern ?? readWord(input, words.length === 0);
    if (word === undefined) return undefined;
    words.push(word);
  }
}

/** Takes a redirection to or from a file. */
function takeFile(input: Input): boolean {
  const taken = take(input, fileRedirection);
  if (taken === undefined) return false;
  stop(input, reasonOf(/[&<>]/.exec(taken)?.[0]));
  input.files.push(taken.replace(/^[\d&<>]*[<>] */, ""));
  return true;
}

function takePattern(input: Input): string | undefined {
  const start = input.at;
  const word = take(input, patternWord);
  const special = /[*?]/.exec(word ?? "")?.[0];
  if (special === undefined) input.at = start;
  else stop(input, reasonOf(special));
  return special === undefined ? undefined : word;
}

/** Takes the operator after a call, and a comment before it. Returns undefined if the call continues. */
function takeEnd(input: Input): PlainCall["after"] | undefined {
  take(input, /#[^\n]*/y);
  if (input.at === input.text.length) return "";
  const operator = take(input, /&&(?!&)|\|\|(?!\|)|\|(?![|&])|;(?![;&])|\n/y);
  return operator === "\n" ? ";" : (operator as PlainCall["after"] | undefined);
}

/** Reads one word, which may have quoted parts. */
function readWord(input: Input, first: boolean): string | undefined {
  let word = "";
  const start = input.at;
  for (;;) {
    const character = input.text[input.at];
    const ends =
      character === undefined || /[ \n;|]/.test(character) || input.text.startsWith("&&", input.at);
    if (ends || endsBeforeFile(input, start)) return input.at === start ? stop(input, incomplete) : word;
    const part = character === "'" || character === '"' ? readQuoted(input) : readUnquoted(input, start);
    if (part === undefined) return undefined;
    word += part;
    if (first && /^[A-Za-z_]\w*\+?=/.test(word)) {
      const next = input.text[input.at];
      return stop(input, /[<>]/.test(next ?? "") ? reasonOf(next) : "it sets a variable");
    }
  }
}

/** Takes a redirection directly after a word. Digits before it are a descriptor and not a word. */
function endsBeforeFile(input: Input, start: number): boolean {
  if (input.at === start || !/[<>&]/.test(input.text[input.at] ?? "")) return false;
  return !/^\d+$/.test(input.text.slice(start, input.at)) && takeFile(input);
}

function readUnquoted(input: Input, wordStart: number): string | undefined {
  const text = take(input, plain);
  if (text !== undefined) return text;
  const character = input.text[input.at];
  const before = input.at > wordStart ? (input.text[input.at - 1] ?? "") : "";
  if ((character === "~" || character === "#") && /[A-Za-z0-9^_\-./]/.test(before)) {
    input.at += 1;
    return character;
  }
  return stop(input, reasonOf(character));
}

function reasonOf(character = ""): string {
  return reasons[character] ?? `it holds "${character}" outside quotes`;
}

function readQuoted(input: Input): string | undefined {
  const isRaw = input.text[input.at] === "'";
  const text = take(input, isRaw ? /'[^'\t]*'/y : /"(?:[^"\\$`\t]|\\[^\n])*"/y);
  if (text === undefined) return stop(input, quotedReason(input));
  return isRaw ? text.slice(1, -1) : unescapeDoubleQuoted(text.slice(1, -1));
}

/** Returns the meaning of text between double quotes. A backslash acts only before `"` `\` `$`, a backtick or line end. */
export function unescapeDoubleQuoted(text: string): string {
  return text.replace(/\\(\n|["\\$`])/g, (_, escaped: string) => (escaped === "\n" ? "" : escaped));
}

function quotedReason(input: Input): string {
  const quote = input.text[input.at] ?? "";
  const end = input.text.indexOf(quote, input.at + 1);
  if (end === -1) return "a quote is not closed";
  const special = /[$`\t]/.exec(input.text.slice(input.at, end))?.[0];
  return special === undefined ? "a quoted part could not be read" : (reasons[special] ?? "");
}

function take(input: Input, pattern: RegExp): string | undefined {
  pattern.lastIndex = input.at;
  const found = pattern.exec(input.text)?.[0];
  input.at += found?.length ?? 0;
  return found;
}

function matches({ text, at }: Input, pattern: RegExp): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
