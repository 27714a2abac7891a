/** Checks which files a message names with `@`. */
import { isImageMention, mentionsIn } from "@localharness/protocol";
import { expect, test } from "vitest";

test.each<[message: string, paths: readonly string[]]>([
  ["@README.md summarise", ["README.md"]],
  ["see @src/a.ts, @src/b.ts. And (@c.ts)!", ["src/a.ts", "src/b.ts", "c.ts"]],
  ['@"my notes.md" and @a @a', ["my notes.md", "a"]],
  ["me@example.org, a@b @ @, @.", []],
  ["line\n@x\n", ["x"]],
  [`${"@a ".repeat(50)}@b`, ["a", "b"]],
])("%j names %j", (message, paths) => {
  expect(mentionsIn(message).map(({ path }) => path)).toEqual(paths);
});

test("lines of a file", () => {
  expect(mentionsIn('@a.ts:3-9 @"b c.ts":7 @d:x @e.ts:1:2')).toEqual([
    { text: "a.ts:3-9", path: "a.ts", firstLine: 3, lastLine: 9 },
    { text: "b c.ts:7", path: "b c.ts", firstLine: 7, lastLine: 7 },
    { text: "d:x", path: "d:x" },
    { text: "e.ts:1:2", path: "e.ts:1", firstLine: 2, lastLine: 2 },
  ]);
});

test("at most 20 files; images are told from others by their names", () => {
  const many = Array.from({ length: 30 }, (_, index) => `@${index}.PNG`).join(" ");
  expect(mentionsIn(many)).toHaveLength(20);
  expect(mentionsIn("@a.PNG @b.jpeg @c.svg @d.png.txt").map(isImageMention)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
