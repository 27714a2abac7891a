/** Checks diffs that are drawn with the old lines beside the new ones. */
import { visibleWidth } from "@earendil-works/pi-tui";
import { describe, expect, test } from "vitest";
import { drawDiff } from "../src/diff/draw-diff.ts";
import { chooseTheme } from "../src/theme/choose-theme.ts";
import { createTheme } from "../src/theme/theme.ts";

const plain = createTheme("none", {});
const wide = 141;
/** Returns a row with the texts in its halves of 69 columns. */
const row = (left: string, right: string) => `${left}${" ".repeat(69 - visibleWidth(left))} │ ${right}`;

describe("a diff in a wide window", () => {
  test("has the old lines beside the new ones, and the same lines in both halves", () => {
    const diff = "--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n same\n-old 1\n-old 2\n+new 1\n+new 2\n+new 3\n end\n";
    expect(drawDiff(diff, wide, plain)).toEqual([
      "--- a/x",
      "+++ b/x",
      "@@ -1,3 +1,4 @@",
      row(" same", " same"),
      row("-old 1", "+new 1"),
      row("-old 2", "+new 2"),
      row("", "+new 3"),
      row(" end", " end"),
    ]);
  });

  test.each(["漢字と仮名", "ｆｕｌｌ", "한국어", "Ünï Ελλ Кир"])("counts the columns of %s", (text) => {
    expect(drawDiff(`@@ -1 +1 @@\n-${text}\n+new\n`, wide, plain)[1]).toBe(row(`-${text}`, "+new"));
  });

  test.each(["😀", "e\u0301", "👩‍👩‍👧", "ｱﾞ\u200b", "नमस्ते"])(
    "draws nothing to the right of %s, whose width terminals differ on",
    (text) => {
      expect(drawDiff(`@@ -1 +1 @@\n-${text}\n+new\n`, wide, plain).slice(1)).toEqual([
        `-${text}`,
        row("", "+new"),
      ]);
    },
  );

  test("wraps long lines within their half, and loses no character", () => {
    const [old, fresh] = ["a".repeat(150), "b".repeat(200)];
    const lines = drawDiff(`@@ -1 +1 @@\n-${old}\n+${fresh}\n`, wide, plain).slice(1);
    expect(lines.every((line) => visibleWidth(line) <= wide)).toBe(true);
    const half = (at: number) => lines.map((line) => line.split(" │ ")[at]?.trim() ?? "").join("");
    expect([half(0), half(1)]).toEqual([`-${old}`, `+${fresh}`]);
  });

  test("ends the colours of the left half before the right one", () => {
    const theme = chooseTheme("dark", { COLORTERM: "truecolor" });
    const [, line = ""] = drawDiff("@@ -1 +1 @@\n-old\n+new\n", wide, theme);
    const [left = ""] = line.split("│");
    expect(left.slice(left.indexOf("old"))).toContain("\u001b[0m ");
  });
});

test("a diff in a narrow window, or one that only adds or only removes, has one line below the other", () => {
  const replaced = "@@ -1 +1 @@\n-old\n+new\n";
  expect(drawDiff(replaced, 135, plain)).toEqual(["@@ -1 +1 @@", "-old", "+new"]);
  expect(drawDiff("@@ -0,0 +1 @@\n+new\n", wide, plain)).toEqual(["@@ -0,0 +1 @@", "+new"]);
  expect(drawDiff("@@ -1 +0,0 @@\n-old\n", wide, plain)).toEqual(["@@ -1 +0,0 @@", "-old"]);
});
