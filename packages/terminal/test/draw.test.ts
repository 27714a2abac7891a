/** Checks the drawing of code, diffs, cleaned text and costly Markdown. */

import { stripVTControlCharacters } from "node:util";
import { isHardMarkdown } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { growth } from "../../../test/measures.ts";
import { drawDiff } from "../src/diff/draw-diff.ts";
import { differing } from "../src/diff/paint-line.ts";
import { createHighlighter } from "../src/markdown/highlight.ts";
import { screenText } from "../src/plain-text.ts";
import { fitLine } from "../src/screen/fit-line.ts";
import { createTheme, type StyleTable, type Theme } from "../src/theme/theme.ts";
import { createLiveAnswer } from "../src/transcript/live-answer.ts";

/** Returns a theme that writes styles in readable form: `<name|text>`. */
function readable(): Theme {
  return { ...createTheme("readable", {} satisfies StyleTable), style: (name, text) => `<${name}|${text}>` };
}

describe("syntax colours", () => {
  test.each([
    [
      "ts",
      "const a = 'x'; // n 1",
      "<syntax-keyword|const> a = <syntax-string|'x'>; <syntax-comment|// n 1>",
    ],
    [
      "py",
      "def f(x): return 0x1f",
      "<syntax-keyword|def> <syntax-name|f>(x): <syntax-keyword|return> <syntax-number|0x1f>",
    ],
    ["sh", 'echo "a # b" # c', 'echo_ <syntax-string|"a # b"> <syntax-comment|# c>'],
    ["unknown", "const a", "<code|const a>"],
    ["js", "a = 'not closed", "a = <syntax-string|'not closed>"],
    ["ts", "😀 = 漢字()", "😀 = <syntax-name|漢字>()"],
  ])("%s: %s", (language, line, expected) => {
    const drawn = createHighlighter(language, readable())(line);
    expect(drawn.replace("<syntax-keyword|echo>", "echo_").replace(/^<[^|]*\|echo>/, "echo_")).toBe(expected);
  });

  test("comments and strings may span lines", () => {
    const line = createHighlighter("ts", readable());
    expect([line("a /* b"), line("c"), line("d */ e `f"), line("g` h")]).toEqual([
      "a <syntax-comment|/* b>",
      "<syntax-comment|c>",
      "<syntax-comment|d */> e <syntax-string|`f>",
      "<syntax-string|g`> h",
    ]);
  });

  test("no character is lost, in any language", () => {
    const source = "a'b\"c`d//e#f--g/*h*/<!--i-->0x1F 1.5e3 class \\' \\\" é漢😀\t(x){y}\n";
    for (const language of ["ts", "c", "py", "sh", "yaml", "sql", "html", ""])
      for (let from = 0; from < source.length; from += 1) {
        const text = source.slice(from, from + 20);
        if (/[\ud800-\udfff]/.test(text.at(0) ?? "") || /[\ud800-\udbff]$/.test(text)) continue;
        const drawn = createHighlighter(language, createTheme("none", {}))(text);
        expect(drawn).toBe(text);
      }
  });
});

describe("a diff", () => {
  test("marks the changed words of lines that replace each other", () => {
    const diff = "@@ -1,2 +1,2 @@\n-const tea = 'green';\n+const tea = 'black';\n same\n";
    expect(drawDiff(diff, 100, readable())).toEqual([
      "<hunk|@@ -1,2 +1,2 @@>",
      "<removed|-const tea = '<removed-word|green>';>",
      "<added|+const tea = '<added-word|black>';>",
      " same",
    ]);
  });

  test("reads file names only before its first hunk", () => {
    const diff = "--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- DROP TABLE x;\n+++ count;\n diff \n";
    expect(drawDiff(diff, 100, readable())).toEqual([
      "<dim|--- a/x.sql>",
      "<dim|+++ b/x.sql>",
      "<hunk|@@ -1,2 +1,2 @@>",
      "<removed|--- DROP TABLE x;>",
      "<added|+++ count;>",
      " diff ",
    ]);
  });

  test.each([
    ["same", "same", ""],
    ["say 😀 now please", "say 😁 now please", "😀"],
    ["all of this 😀", "all of this 😀😁", ""],
    ["all of this 😀😁", "all of this 😁", "😀😁"],
    ["the cafe\u0301 is open", "the cafe is open", "cafe\u0301"],
    ["a b c", "a x c", "b"],
    ["call(one)", "call(one, two)", ""],
    ["x = getName() + 1", "x = getNames() + 1", "getName"],
    ["completely", "different words", ""],
  ])("%s beside %s: %s", (line, other, expected) => {
    const { start, end } = differing(line, other);
    expect(line.slice(start, end)).toBe(expected);
  });
});

test("text for the screen has no control characters, no tabs and few combining marks in a row", () => {
  expect(screenText("a\u001b[2Jb\u0007\r\nc\td\u202ee\u009b1mf")).toBe("a[2Jb\nc    de1mf");
  expect([...screenText(`e${"\u0301".repeat(500)}`)].length).toBeLessThan(12);
  expect(screenText("漢字 😀 👩‍👩‍👧")).toBe("漢字 😀 👩‍👩‍👧");
});

describe("Markdown that is costly to parse", () => {
  const longest = (seed: string) => seed.repeat(Math.ceil(4_096 / seed.length)).slice(0, 4_096);
  const drawnOf = (text: string) => {
    const drawn: string[] = [];
    const answer = createLiveAnswer(createTheme("none", {}), (part) => drawn.push(...part(80)));
    answer.push(text.slice(0, text.length - 9));
    drawn.push(...answer.draw(80));
    answer.push(text.slice(text.length - 9));
    answer.end();
    return drawn;
  };

  // Each of these costs pi-tui's Markdown parser 20 ms to several seconds, or overflows its stack.
  const hard = ["> ", ">", ">- ", "- > ", "1. ", "+ - ", "*a ", "_a ", "__a ", "*_a ", "***a ", "[*a", "_*a"];
  hard.push("_a", "a*", "`*a", "*`a", "$$\n", "~a", "> *a ");
  test.each(hard)("%j repeated is not parsed", (seed) => {
    expect(isHardMarkdown(longest(seed))).toBe(true);
    expect(drawnOf(longest(seed)).join("")).toContain(seed.trim());
  });

  test("a few hundred unclosed marks are not parsed", () => {
    expect(isHardMarkdown("*a ".repeat(300))).toBe(true);
  });

  const table = `| a | b | c |\n|---|---|---|\n${"| **bold** | `code` | [link](http://a.b) |\n".repeat(110)}`;
  const easy = [longest("Some **bold** words and `code`, and _more_. "), longest("snake_case and a*b. ")];
  easy.push(table, "- - - - - - - - - - - -", "*".repeat(80), "> > > > deep", "  - a\n    - b\n      - c");
  test.each(easy)("text with much ordinary Markdown is parsed: %#", (text) => {
    expect(isHardMarkdown(text)).toBe(false);
  });

  test("is shown in full as it is written", () => {
    const drawn = drawnOf(`${"> ".repeat(3_000)}so **deep**`);
    expect(drawn.join("").replaceAll(/\s+/g, "")).toContain(">so**deep**");
  });
});

test("a line for the screen has no tab, whose width depends on the terminal", () => {
  expect(fitLine("a\tb", 80)).toBe("a   b");
  expect(fitLine("a\tb", 4)).toBe("a  …");
});

test.each([
  { line: "0123456789", columns: 10, fitted: "0123456789" },
  { line: "0123456789", columns: 9, fitted: "01234567…" },
  { line: "0123456789", columns: 1, fitted: "…" },
  { line: "日本語", columns: 5, fitted: "日本…" },
  { line: "all of it     ", columns: 9, fitted: "all of it" },
])("a line that does not fit $columns columns ends with an ellipsis: $line", ({ line, columns, fitted }) => {
  expect(stripVTControlCharacters(fitLine(line, columns))).toBe(fitted);
});

test.each(["\u65e5\u672c", "\u001b[2mx", "e\u0301 "])(
  "a line of megabytes is fitted as fast as one of 40 KB: %j",
  async (unit) => {
    const fit = (chars: number) => {
      const line = unit.repeat(chars / unit.length);
      return () => expect(stripVTControlCharacters(fitLine(line, 80))).toMatch(/…$/);
    };
    expect(await growth(fit(40_000), fit(4_000_000), 10)).toBeLessThan(10);
  },
);
