/** Colours code line by line: comments, strings, numbers, keywords and called names, by families of similar languages. */
import type { StyleName, Theme } from "../theme/theme.ts";

interface Family {
  readonly lineComments: readonly string[];
  /** Delimiters of comments and strings that may span lines. */
  readonly spans: readonly (readonly [open: string, close: string, style: StyleName])[];
  readonly quotes: string;
  readonly words: ReadonlySet<string>;
}

const slashes: readonly (readonly [string, string, StyleName])[] = [["/*", "*/", "syntax-comment"]];
const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const script: Family = {
  lineComments: ["//"],
  spans: [...slashes, ["`", "`", "syntax-string"]],
  quotes: "\"'",
  words: words(
    "abstract as async await break case catch class const continue default delete do else enum export extends false finally for from function get if implements import in instanceof interface let new null of private protected public readonly return satisfies set static super switch this throw true try type typeof undefined var void while yield",
  ),
};
const braces: Family = {
  lineComments: ["//"],
  spans: slashes,
  quotes: "\"'",
  words: words(
    "auto bool break case catch char class const continue crate default defer do double else enum extern false final float fn for func go goto if impl import in int interface let long loop map match mod mut namespace new nil null operator override package private protected pub public range return self short signed sizeof static struct super switch template this throw trait true try type typedef union unsafe unsigned use using var virtual void volatile where while async await",
  ),
};
const python: Family = {
  lineComments: ["#"],
  spans: [
    ['"""', '"""', "syntax-string"],
    ["'''", "'''", "syntax-string"],
  ],
  quotes: "\"'",
  words: words(
    "and as assert async await break class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try while with yield",
  ),
};
const shell: Family = {
  lineComments: ["#"],
  spans: [],
  quotes: "\"'",
  words: words(
    "case cd do done echo elif else esac eval exec exit export fi for function if in local read return set shift source then trap unset until while",
  ),
};
const data: Family = {
  lineComments: ["#"],
  spans: [],
  quotes: "\"'",
  words: words("true false null yes no on off"),
};
const query: Family = {
  lineComments: ["--"],
  spans: slashes,
  quotes: "\"'",
  words: words(
    "select from where insert into update delete create table drop alter join left right inner outer on group by order having limit as and or not null primary key values set distinct union index SELECT FROM WHERE INSERT INTO UPDATE DELETE CREATE TABLE DROP ALTER JOIN LEFT RIGHT INNER OUTER ON GROUP BY ORDER HAVING LIMIT AS AND OR NOT NULL PRIMARY KEY VALUES SET DISTINCT UNION INDEX",
  ),
};
const markup: Family = {
  lineComments: [],
  spans: [["<!--", "-->", "syntax-comment"]],
  quotes: "\"'",
  words: words(""),
};

const families: readonly (readonly [names: string, family: Family])[] = [
  ["js jsx ts tsx mjs cjs mts cts javascript typescript json json5 jsonc", script],
  [
    "c cc cpp cxx h hpp cs csharp go rust rs java kotlin kt swift scala dart php zig proto css scss less",
    braces,
  ],
  ["py python python3 pyi rb ruby nim", python],
  ["sh bash zsh shell fish console dockerfile makefile make", shell],
  ["yaml yml toml ini conf env properties r perl pl elixir ex tcl", data],
  ["sql lua haskell hs elm ada", query],
  ["html xml svg vue svelte", markup],
];

const byName: ReadonlyMap<string, Family> = new Map(
  families.flatMap(([names, family]) => names.split(" ").map((name) => [name, family] as const)),
);

/** Colours the next line of one code block. Remembers a comment or string that an earlier line left open. */
export type LineHighlighter = (line: string) => string;

export function createHighlighter(language: string, theme: Theme): LineHighlighter {
  const family = byName.get(language.toLowerCase());
  if (family === undefined) return (line) => theme.style("code", line);
  let open: readonly [string, string, StyleName] | undefined;
  return (line) => {
    if (line.length > 2_000) return line;
    const painted = paintLine(line, family, theme, open);
    open = painted.open;
    return painted.text;
  };
}

type Span = Family["spans"][number];

function paintLine(
  line: string,
  family: Family,
  theme: Theme,
  before: Span | undefined,
): { readonly text: string; readonly open: Span | undefined } {
  let text = "";
  let at = 0;
  let open = before;
  while (at < line.length) {
    if (open !== undefined) {
      const end = line.indexOf(open[1], at);
      const stop = end === -1 ? line.length : end + open[1].length;
      text += theme.style(open[2], line.slice(at, stop));
      if (end === -1) return { text, open };
      open = undefined;
      at = stop;
      continue;
    }
    const span = family.spans.find(([mark]) => line.startsWith(mark, at));
    if (span !== undefined) {
      const end = line.indexOf(span[1], at + span[0].length);
      const stop = end === -1 ? line.length : end + span[1].length;
      text += theme.style(span[2], line.slice(at, stop));
      at = stop;
      if (end === -1) open = span;
      continue;
    }
    const piece = nextPiece(line, at, family);
    text += piece.style === undefined ? piece.text : theme.style(piece.style, piece.text);
    at += piece.text.length;
  }
  return { text, open };
}

const wordAt = /[\p{L}_$@][\p{L}\p{N}_$-]*/uy;
const numberAt = /(?:0[xob][\da-f_]+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)/iy;
const blankAt = /\s+/y;

function nextPiece(line: string, at: number, family: Family): { text: string; style?: StyleName } {
  const blank = matchAt(blankAt, line, at);
  if (blank !== undefined) return { text: blank };
  if (
    family.lineComments.some(
      (mark) => line.startsWith(mark, at) && (at === 0 || /[\s;{})]/.test(line[at - 1] ?? "")),
    )
  )
    return { text: line.slice(at), style: "syntax-comment" };
  const character = line[at] ?? "";
  if (family.quotes.includes(character)) return { text: quoted(line, at), style: "syntax-string" };
  const number = matchAt(numberAt, line, at);
  if (number !== undefined) return { text: number, style: "syntax-number" };
  const word = matchAt(wordAt, line, at);
  if (word === undefined) return { text: String.fromCodePoint(line.codePointAt(at) ?? 32) };
  if (family.words.has(word)) return { text: word, style: "syntax-keyword" };
  return line[at + word.length] === "(" ? { text: word, style: "syntax-name" } : { text: word };
}

function matchAt(pattern: RegExp, line: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0];
}

function quoted(line: string, at: number): string {
  for (let end = at + 1; end < line.length; end += 1) {
    if (line[end] === "\\") end += 1;
    else if (line[end] === line[at]) return line.slice(at, end + 1);
  }
  return line.slice(at);
}
