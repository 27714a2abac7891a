/** Checks the search of the viewers: its keys, what it finds, and how it marks it. */
import { expect, test } from "vitest";
import { createWordFinder } from "../../src/dialogs/find-words.ts";
import { keys } from "../editor/open-editor.ts";

test("takes / and what is typed after it, until Enter or Esc", () => {
  const finder = createWordFinder();
  expect([finder.take("n"), finder.take("/"), finder.take("n"), finder.take("/")]).toEqual([
    undefined,
    "taken",
    "typed",
    "typed",
  ]);
  expect([finder.prompt(), finder.take(keys.enter), finder.prompt()]).toEqual(["/n/█", "taken", undefined]);
  expect([finder.take("n"), finder.words()]).toEqual([undefined, "n/"]);
  expect([finder.take("/"), finder.words(), finder.take(keys.esc), finder.take("q")]).toEqual([
    "taken",
    "",
    "taken",
    undefined,
  ]);
});

test.each([
  ["A.b*", "xa.B*", true],
  ["a.b", "axb", false],
  ["(]{$^|\\", "a(]{$^|\\", true],
  ["über", "ÜBER", true],
  ["", "anything", false],
])("%j in %j: %s", (words, text, found) => {
  const finder = createWordFinder();
  for (const key of ["/", ...words]) finder.take(key);
  expect([finder.isIn(text), finder.isIn(text)]).toEqual([found, found]);
});

test("marks each match of a line without the line's other styles, and leaves other lines alone", () => {
  const finder = createWordFinder();
  for (const key of "/tea") finder.take(key);
  const mark = (line: string) => finder.mark(line, (found) => `<${found}>`);
  expect(mark("\u001b[1mT\u001b[0mea and steam")).toBe("<Tea> and s<tea>m");
  expect(mark("\u001b[1mcoffee\u001b[0m")).toBe("\u001b[1mcoffee\u001b[0m");
});
