/**
 * Reads the part of bash that the shell does not expand: quoted and unquoted words, `&&` `||` `;` `|` and line ends between
 * calls, and redirections that discard or join output or read `/dev/null`. Any other syntax makes the command unclear.
 */

export interface PlainCall {
  readonly words: readonly string[];
  /** The operator after the call, `;` for a line end; `""` if the text ends there. */
  readonly after: "" | ";" | "&&" | "||" | "|";
}

export type PlainReading =
  | { readonly ok: true; readonly calls: readonly PlainCall[] }
  | { readonly ok: false; readonly reason: string };

interface Input {
  readonly text: string;
  at: number;
}

/** Matches characters that have no special meaning in a word. `readUnquoted` takes `~` and `#` only after some of them. */
const plain = /[A-Za-z0-9_\-./:,+@%^=]+/y;
const blank = /[ ]+/y;
const incomplete = { reason: "it is not a whole command" };

/** Matches a redirection to or from `/dev/null`, or one that joins the output with the error output. */
const redirection = /(?:(?:[12]?>>?|<) *\/dev\/null|2>&1|1?>&2)(?=[ \n;|]|&&|$)/y;

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
  const input: Input = { text, at: 0 };
  const calls: PlainCall[] = [];
  for (;;) {
    skipEmptyLines(input);
    if (input.at === text.length) {
      return calls.length > 0 && mayEnd(calls) ? { ok: true, calls } : unclear(incomplete.reason);
    }
    const call = readCall(input);
    if ("reason" in call) return unclear(call.reason);
    calls.push(call);
    if (call.after === "" && input.at < text.length) return unclear("it could not be read to its end");
  }
}

function unclear(reason: string): PlainReading {
  return { ok: false, reason };
}

function mayEnd(calls: readonly PlainCall[]): boolean {
  const after = calls.at(-1)?.after;
  return after === "" || after === ";";
}

/** Skips blanks, line ends and comments before a call. */
function skipEmptyLines(input: Input): void {
  const empty = /(?:[ \n]|#[^\n]*)*/y;
  empty.lastIndex = input.at;
  input.at += empty.exec(input.text)?.[0].length ?? 0;
}

function readCall(input: Input): PlainCall | { readonly reason: string } {
  const words: string[] = [];
  for (;;) {
    take(input, blank);
    if (take(input, redirection) !== undefined) continue;
    const end = takeEnd(input);
    if (end !== undefined) return words.length === 0 ? incomplete : { words, after: end };
    const word = readWord(input, words.length === 0);
    if (typeof word !== "string") return word;
    words.push(word);
  }
}

/** Takes the operator after a call, and a comment before it. Returns undefined if the call continues. */
function takeEnd(input: Input): PlainCall["after"] | undefined {
  take(input, /#[^\n]*/y);
  if (input.at === input.text.length) return "";
  const operator = take(input, /&&(?!&)|\|\|(?!\|)|\|(?![|&])|;(?![;&])|\n/y);
  return operator === "\n" ? ";" : (operator as PlainCall["after"] | undefined);
}

/** Reads one word, which may have quoted parts. */
function readWord(input: Input, first: boolean): string | { readonly reason: string } {
  let word = "";
  const start = input.at;
  for (;;) {
    const character = input.text[input.at];
    if (character === undefined || /[ \n;|]/.test(character) || input.text.startsWith("&&", input.at)) {
      return input.at === start ? incomplete : word;
    }
    const part = character === "'" || character === '"' ? readQuoted(input) : readUnquoted(input, start);
    if (typeof part !== "string") return part;
    word += part;
    if (first && /^[A-Za-z_]\w*\+?=/.test(word)) return { reason: "it sets a variable" };
  }
}

function readUnquoted(input: Input, wordStart: number): string | { readonly reason: string } {
  const text = take(input, plain);
  if (text !== undefined) {
    // Digits directly before a redirection are a descriptor and not a word.
    return /[<>]/.test(input.text[input.at] ?? "") ? { reason: reasonFor(input) } : text;
  }
  const character = input.text[input.at] ?? "";
  const before = input.at > wordStart ? (input.text[input.at - 1] ?? "") : "";
  if ((character === "~" || character === "#") && /[A-Za-z0-9^_\-./]/.test(before)) {
    input.at += 1;
    return character;
  }
  return { reason: reasonFor(input) };
}

function reasonFor(input: Input): string {
  const character = input.text[input.at] ?? "";
  return reasons[character] ?? `it holds "${character}" outside quotes`;
}

function readQuoted(input: Input): string | { readonly reason: string } {
  const quote = input.text[input.at];
  const pattern = quote === "'" ? /'([^'\t]*)'/y : /"((?:[^"\\$`\t]|\\[^\n])*)"/y;
  pattern.lastIndex = input.at;
  const found = pattern.exec(input.text);
  if (found === null) return { reason: quotedReason(input) };
  input.at += found[0].length;
  return quote === "'" ? (found[1] ?? "") : unescapeDoubleQuoted(found[1] ?? "");
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
