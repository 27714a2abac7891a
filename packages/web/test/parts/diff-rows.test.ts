/** Checks the rows of a diff, in one column and side by side. */
import { readDiff } from "@localharness/protocol";
import { expect, test } from "vitest";
import { rowsOf } from "../../src/parts/diff-rows.ts";
import { matching } from "../../src/parts/match.ts";

const diff = "--- a/x\n+++ b/x\n@@ -4,3 +4,4 @@\n same\n-old\n+new\n+more\n end\n";

test("in one column all old lines of a change come first", () => {
  expect(rowsOf(readDiff(diff), false)).toEqual([
    { kind: "hunk", text: "@@ -4,3 +4,4 @@" },
    { kind: "lines", old: "same", fresh: "same", oldLine: 4, freshLine: 4, isSame: true },
    { kind: "lines", old: "old", oldLine: 5, isSame: false },
    { kind: "lines", fresh: "new", freshLine: 5, isSame: false },
    { kind: "lines", fresh: "more", freshLine: 6, isSame: false },
    { kind: "lines", old: "end", fresh: "end", oldLine: 6, freshLine: 7, isSame: true },
  ]);
});

test("side by side a new line is beside the line that it replaces", () => {
  expect(rowsOf(readDiff(diff), true).slice(2, 4)).toEqual([
    { kind: "lines", old: "old", oldLine: 5, fresh: "new", freshLine: 5, isSame: false },
    { kind: "lines", fresh: "more", freshLine: 6, isSame: false },
  ]);
});

test("a list shows first what begins with the text", () => {
  const rows = ["model", "mode", "remove"].map((label) => ({ label, about: "mode" }));
  expect(matching(rows, "mode").map(({ label }) => label)).toEqual(["mode", "model", "remove"]);
  expect(matching(rows, "rem").map(({ label }) => label)).toEqual(["remove"]);
});
