/** Texts before an opener that show that it is part of an example, a quotation or a program. */
import { describe, expect, test } from "vitest";
import { isQuoted } from "../../src/scan/standing.ts";
import { call, formatContract, text } from "../format-contract.ts";

const json = '{"name": "read_file", "arguments": {"path": "a.txt"}}';

formatContract("a call in JSON after other signs", [
  {
    name: "after a question",
    text: `What is in it?${json}`,
    events: [
      text("What is in it?"),
      ...call(0, "json", "read_file", { path: "a.txt" }, { shown: '{"path": "a.txt"}' }),
    ],
  },
  ...["a ? ", "a[0]? ", "f()?", "a = ", "f("].map((before) => ({
    name: `data after ${JSON.stringify(before)}`,
    text: `${before}${json}`,
    events: [text(`${before}${json}`)],
  })),
]);

describe("what follows is quoted", () => {
  test.each([
    ["behind a quotation mark", 'He wrote "'],
    ["in a code span", "The text `a"],
    ["behind a closed span and in another", "`a` and `b"],
    ["in a string of an assignment", 'const a = "b '],
    ["in a string behind a return", "  return 'b "],
    ["in a string of a call", "print('b "],
    ["in a string behind a closed one", 'f("a", "b '],
    ["in a string with an escaped mark", 'f("a\\" b '],
    ["in a string at the start of a line", '"b '],
    ["in a template over lines", "const a = `one\ntwo "],
    ["in a quoted line", "> so "],
    ["in a comment", "  // so "],
  ])("%s", (_name, before) => {
    expect(isQuoted(before)).toBe(true);
  });
});

describe("what follows stands on its own", () => {
  test.each([
    ["at the start", ""],
    ["behind an apostrophe", "It isn't hard, let's "],
    ["behind a quotation of prose", 'He said "yes" and '],
    ["behind an open quotation of prose", 'He said "yes and '],
    ["behind a closed string", 'f("a") '],
    ["behind a closed span", "The `a` "],
    ["in the line behind a span that was not closed", "The `a\n"],
    ["behind a word that ends like one of code", "myreturn 'a "],
    ["behind a template that was closed", "const a = `one\ntwo`;\nThen "],
  ])("%s", (_name, before) => {
    expect(isQuoted(before)).toBe(false);
  });
});
