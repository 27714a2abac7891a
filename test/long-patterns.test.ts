/** A long regular expression is a table of words (`wordsPattern` in `workspace/src/patterns.ts`) or several short expressions. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./run-program.ts";

const maxLength = 120;

const noTables = "its package may import nothing, and reads a model's text character by character";
const messages = "it lists the sentences of servers and models, which are no words of a table";

/** Files whose long expressions stay, and why. */
const allowed: readonly (readonly [path: string, because: string])[] = [
  ["detect/src/markup/call-markup.ts", noTables],
  ["detect/src/markup/tag.ts", noTables],
  ["detect/src/scan/standing.ts", noTables],
  ["engine/src/guards/announce.ts", messages],
  ["engine/src/quoted/without-quoting.ts", "the beginnings of quoted lines"],
  ["models/src/answer/failure.ts", messages],
  ["models/src/request/profile/habits.ts", messages],
  ["models/src/server-words/overflow.ts", messages],
  ["models/src/server-words/parser-failure.ts", messages],
  ["models/src/server-words/reason.ts", messages],
  ["context/src/curator/outline.ts", "the beginnings of declarations in many languages"],
  ["engine/src/schema/tokens.ts", "one group for each kind of token"],
  ["harness/src/host/where-it-runs.ts", "the forms of an address"],
  ["harness/src/mcp/server-place.ts", "the variables and options with which programs run code"],
  ["protocol/src/mask-addresses.ts", "the places of credentials in an address"],
  ["terminal/src/diff/side-by-side.ts", "the ranges of characters that take one column"],
  ["terminal/src/screen/unmarked-pastes.ts", "the sequences of keys"],
];

const literal = /(?<![\w)\]/*])\/(?![/*\s])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*/g;

function longPatternsIn(source: string): readonly string[] {
  const code = source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  return (code.match(literal) ?? []).filter((one) => one.length > maxLength);
}

const found = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: root }).flatMap((path) =>
  longPatternsIn(readFileSync(join(root, path), "utf8")).map(
    (pattern) => [path.replace("packages/", ""), pattern] as const,
  ),
);

test("no regular expression has more than 120 characters", () => {
  const isAllowed = (path: string) => allowed.some(([one]) => one === path);
  expect(found.filter(([path]) => !isAllowed(path))).toEqual([]);
});

test("each exception is needed", () => {
  const needed = new Set(found.map(([path]) => path));
  expect(allowed.map(([path]) => path).filter((path) => !needed.has(path))).toEqual([]);
});

test("and the search finds what it must", () => {
  const long = `/^(?:${"word|".repeat(30)}[/x])$/s`;
  expect(longPatternsIn(`const a = ${long};\n// ${long}\nconst b = 1 / 2;`)).toEqual([long]);
});
