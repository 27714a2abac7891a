/** Rules of `.gitignore` files ignore the same names as git. */
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isIgnored, readIgnoreRules } from "../../src/snapshots/ignore-rules.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const rules = [
  "# a comment",
  "*.log",
  "!keep.log",
  "/top",
  "build/",
  "a/**/z",
  "**/deep",
  "tail/**",
  "doc/*.txt",
  "back\\*slash",
  "\\#hash",
  "\\!bang",
  "sp ace ",
  "trail\\ ",
  "[ab]x",
  "[!a-c]y",
  "q?q",
  "[[:digit:]]n",
  "**/mid/**/end",
  "st**ar",
  "[unclosed",
  "(paren)+{1}",
  "ünï*",
  "/rooted/*.c",
  "/",
  "x/y/",
];
const paths = [
  "a.log",
  "keep.log",
  "in/a.log",
  "in/keep.log",
  "top",
  "in/top",
  "build",
  "in/build",
  "a/z",
  "a/b/z",
  "a/b/c/z",
  "b/a/z",
  "deep",
  "x/deep",
  "tail/one",
  "tail/one/two",
  "doc/a.txt",
  "doc/in/a.txt",
  "in/doc/a.txt",
  "back*slash",
  "backXslash",
  "#hash",
  "!bang",
  "sp ace",
  "trail ",
  "trail",
  "ax",
  "bx",
  "cx",
  "dy",
  "ay",
  "qaq",
  "q/q",
  "qq",
  "1n",
  "an",
  "mid/end",
  "mid/a/end",
  "s/mid/a/b/end",
  "star",
  "stXar",
  "st/ar",
  "[unclosed",
  "(paren)+{1}",
  "ünïx",
  "rooted/a.c",
  "rooted/b/a.c",
  "x/y",
  "in/x/y",
];

test("a path is ignored exactly if git ignores it", () => {
  const folder = temporaryFolder();
  execFileSync("git", ["init", "-q", folder]);
  writeFileSync(join(folder, ".gitignore"), rules.join("\n"));
  const file = { folder: "", rules: readIgnoreRules(rules.join("\n")) };
  const asked = paths.flatMap((path) => [path, `${path}/`]);
  const options = ["-C", folder, "check-ignore", "--no-index", "-z", "--stdin"];
  const { stdout } = spawnSync("git", options, { input: asked.join("\0"), encoding: "utf8" });
  const mine = asked.filter((one) => {
    const names = one.replace(/\/$/, "").split("/");
    return names.some((_, index) => {
      const isFolder = one.endsWith("/") || index < names.length - 1;
      return isIgnored([file], names.slice(0, index + 1).join("/"), isFolder);
    });
  });
  expect(mine).toEqual(stdout.split("\0").filter((path) => path !== ""));
});

test("the rules of a deeper file come first", () => {
  const files = [
    { folder: "", rules: readIgnoreRules("*.txt\n/sub/a") },
    { folder: "sub/", rules: readIgnoreRules("!b.txt\n/c") },
  ];
  const found = ["a.txt", "sub/a.txt", "sub/b.txt", "sub/a", "sub/c", "sub/d/c"].map((path) =>
    isIgnored(files, path, false),
  );
  expect(found).toEqual([true, true, false, true, true, false]);
});

test.each([`${"*a".repeat(200)}b`, `${"**/".repeat(150)}x`, `${"**/a/".repeat(80)}x`, "*a*a*b"])(
  "the pattern %s takes no time",
  (pattern) => {
    const file = { folder: "", rules: readIgnoreRules(pattern) };
    expect(isIgnored([file], `${"a/".repeat(300)}${"a".repeat(200)}`, false)).toBe(false);
  },
);
