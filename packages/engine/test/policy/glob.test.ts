/** Patterns for paths and text, compared with an independent implementation. */
import { describe, expect, test } from "vitest";
import { growth } from "../../../../test/measures.ts";
import { foldCase, globProblem, namesOf, pathGlob, textGlob } from "../../src/policy/glob.ts";

describe("a path pattern", () => {
  test.each<readonly [glob: string, matching: readonly string[], other: readonly string[]]>([
    [
      "src/a.ts",
      ["src/a.ts", "./src/a.ts", "src//a.ts"],
      ["src/a.tsx", "src", "a.ts", "src/a.ts/b", "x/src/a.ts", "SRC/a.ts"],
    ],
    ["src", ["src", "src/", "./src"], ["src/a", "srcs", "."]],
    [".", ["."], ["a", "src/."]],
    ["*", ["a", ".env"], ["a/b", "."]],
    ["*.ts", ["a.ts", ".ts"], ["a.tsx", "d/a.ts"]],
    ["a*b*c", ["abc", "axbxc", "abbbc", "acbc"], ["ab", "acb", "abcd", "a/b/c"]],
    ["**", [".", "a", "a/b/c", "/etc/passwd"], []],
    ["src/**", ["src", "src/a", "src/a/b"], ["srcs", "a/src", "."]],
    ["**/*.ts", ["a.ts", "x/a.ts", "x/y/a.ts"], ["a.js", "a.ts/b"]],
    ["**/.env", [".env", "a/.env"], [".env.local", "a.env"]],
    ["a/**/b", ["a/b", "a/x/b", "a/x/y/b", "a/b/b"], ["a", "b", "a/x", "x/a/b"]],
    ["a/**/b/**/c", ["a/b/c", "a/1/b/2/3/c", "a/b/b/c", "a/b/x/b/c"], ["a/c", "a/b", "a/b/c/d"]],
    ["**/x/**", ["x", "a/x", "x/b", "a/x/b"], ["a", "xx"]],
    ["/etc/*", ["/etc/passwd"], ["etc/passwd", "/etc", "/etc/a/b"]],
    ["naïve/ключ", ["naïve/ключ"], ["naive/ключ"]],
    ["a[b]?(c)", ["a[b]?(c)"], ["ab", "abc"]],
  ])("%s", (glob, matching, other) => {
    const { matches } = pathGlob(glob);
    expect(globProblem(glob)).toBeUndefined();
    expect(matching.filter((path) => !matches(namesOf(path)))).toEqual([]);
    expect(other.filter((path) => matches(namesOf(path)))).toEqual([]);
  });

  test.each<readonly [glob: string, path: string, reaches: boolean, covers: boolean]>([
    ["src/a.ts", "src", true, false],
    ["src/a.ts", ".", true, false],
    ["src/a.ts", "src/a.ts", false, false],
    ["src/a.ts", "lib", false, false],
    ["src/a.ts", "src/a.ts/b", false, false],
    ["src/*/a", "src/x", true, false],
    ["src/**", "src", true, true],
    ["src/**", "src/x/y", true, true],
    ["src/**", ".", true, false],
    ["**/.env", "any/where", true, false],
    ["**", ".", true, true],
    ["a/**/b", "x", false, false],
    ["a/**/b", "a/b", true, false],
  ])("%s below %s: could match %s, matches all %s", (glob, path, reaches, covers) => {
    const made = pathGlob(glob);
    expect({ reaches: made.reaches(namesOf(path)), covers: made.covers(namesOf(path)) }).toEqual({
      reaches,
      covers,
    });
  });

  test.each<readonly [string, RegExp]>([
    ["", /is empty/],
    ["a/../b", /has "\.\."/],
    ["../b", /has "\.\."/],
    ["a\\b", /has a "\\"/],
    ["a**", /"\*\*" must stand alone/],
    ["a/**.ts", /"\*\*" must stand alone/],
    ["x".repeat(1_001), /longer than 1000/],
  ])("%j is refused", (glob, problem) => {
    expect(globProblem(glob)).toMatch(problem);
  });

  test("case counts unless it is folded, on both sides", () => {
    const folded = pathGlob("SRC/É.ts", foldCase);
    expect(folded.matches(namesOf(foldCase("src/e\u0301.TS")))).toBe(true);
    expect(pathGlob("SRC/a").matches(["src", "a"])).toBe(false);
  });
});

describe("a text pattern", () => {
  test.each<readonly [string, readonly string[], readonly string[]]>([
    ["npm *", ["npm ", "npm test", "npm a/b\nc"], ["npm", " npm test"]],
    ["*", ["", "anything/at all"], []],
    ["a*a", ["aa", "aba"], ["a", "ab"]],
    ["a*ab*b", ["aabb", "axabxb"], ["aab", "ab"]],
    ["exact", ["exact"], ["exactly", "Exact"]],
    ["**", ["", "x"], []],
  ])("%s", (glob, matching, other) => {
    expect(matching.filter((text) => !textGlob(glob)(text))).toEqual([]);
    expect(other.filter((text) => textGlob(glob)(text))).toEqual([]);
  });
});

/** Every way of reading a pattern, by definition: `star` takes any number of items, another item what it `fits`. */
function fitsAll<T>(
  pattern: readonly T[],
  items: readonly string[],
  star: T,
  fits: (one: T, item: string) => boolean,
): boolean {
  const [one, ...rest] = pattern;
  if (one === undefined) return items.length === 0;
  if (one === star) {
    const less = items.length > 0 && fitsAll(pattern, items.slice(1), star, fits);
    return less || fitsAll(rest, items, star, fits);
  }
  const [item, ...others] = items;
  return item !== undefined && fits(one, item) && fitsAll(rest, others, star, fits);
}

function byDefinition(pattern: readonly string[], names: readonly string[]): boolean {
  const inName = (part: string, name: string) =>
    fitsAll([...part], [...name], "*", (letter, other) => letter === other);
  return fitsAll(pattern, names, "**", inName);
}

test("random patterns and paths are read as by definition", () => {
  let state = 7;
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = (from: readonly string[]) => from[next(from.length)] ?? "a";
  let matched = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const pattern = Array.from({ length: 1 + next(4) }, () =>
      pick(["**", "*", "a", "ab", "a*", "*b", "a*b*a"]),
    );
    const names = Array.from({ length: next(5) }, () => pick(["a", "b", "ab", "aba", "abba"]));
    const found = pathGlob(pattern.join("/")).matches(names);
    if (found !== byDefinition(pattern, names)) {
      throw new Error(`${pattern.join("/")} with ${names.join("/")}: ${found}`);
    }
    if (found) matched += 1;
  }
  expect(matched).toBeGreaterThan(2_000);
});

const text = textGlob(`${"a*".repeat(400)}b`);
const folders = pathGlob(`${"**/a/".repeat(150)}b`);
const name = pathGlob("*a*a*a*a*a*a*a*a*b");
test.each<readonly [string, number, (size: number) => boolean]>([
  ["text", 100_000, (size) => text("a".repeat(size))],
  ["folders", 2_000, (size) => folders.matches(Array.from({ length: size }, () => "a"))],
  ["a name", 4_000, (size) => name.matches(["a".repeat(size)])],
])("a pattern made to be slow is linear in %s", async (_what, size, matches) => {
  const match = (length: number) => () => expect(matches(length)).toBe(false);
  expect(await growth(match(size / 8), match(size), 24)).toBeLessThan(24);
});
