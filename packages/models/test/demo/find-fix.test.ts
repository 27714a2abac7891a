import { expect, it } from "vitest";
import { findFix } from "../../src/demo/find-fix.ts";

it.each([
  { lines: ['# TODO: replace "a" with "b"', "x = a + a"], fix: { before: "x = a + a", after: "x = b + b" } },
  { lines: ["-- TODO: `one` -> `two`", "say one"], fix: { before: "say one", after: "say two" } },
  {
    lines: ["TODO: think", "We recieve teh mail."],
    fix: { before: "We recieve teh mail.", after: "We receive the mail." },
  },
  { lines: ["TODO: think", "All is well."], fix: undefined },
  { lines: ['TODO: replace "a" with "b"'], fix: undefined },
])("finds $fix in $lines", ({ lines, fix }) => {
  expect(findFix(lines)).toEqual(fix);
});
