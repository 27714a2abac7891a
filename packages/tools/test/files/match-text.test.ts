import { findMatches } from "@localharness/workspace/files/match-text";
import { describe, expect, test } from "vitest";
import { growth } from "../../../../test/measures.ts";

/** Returns the text after replacing all matches, and how they were found. */
function replaced(text: string, wanted: string, replacement: string) {
  const { matches, tolerance } = findMatches(text, wanted, replacement);
  let result = text;
  for (const match of [...matches].reverse()) {
    result = result.slice(0, match.start) + match.replacement + result.slice(match.end);
  }
  return { count: matches.length, tolerance, result };
}

const code = "function f() {\n    const a = 1;\n    return a;\n}\n";

describe("findMatches", () => {
  test.each([
    ["exactly", code, "const a = 1;", "const a = 2;", undefined, code.replace("a = 1", "a = 2")],
    [
      "within a line, and special characters stay as they are",
      "x = 1\n",
      "1",
      "$& $1 $$",
      undefined,
      "x = $& $1 $$\n",
    ],
    [
      "with LF in a CRLF file",
      "one\r\ntwo\r\nthree\r\n",
      "one\ntwo",
      "1\n2",
      "other line ends",
      "1\r\n2\r\nthree\r\n",
    ],
    ["with CRLF in a LF file", "one\ntwo\n", "one\r\ntwo\r\n", "1\r\n2\r\n", "other line ends", "1\n2\n"],
    [
      "in a file of mixed ends, of which the others stay",
      "a\r\nb\nc\r\nd\r\n",
      "b\nc\nd",
      "B\nC",
      "other line ends",
      "a\r\nB\r\nC\r\n",
    ],
    [
      "with line numbers",
      code,
      "2:     const a = 1;\n3:     return a;",
      "2:     return 1;",
      "line numbers of read_file removed",
      "function f() {\n    return 1;\n}\n",
    ],
    [
      "with white space at line ends",
      "a  \nb\t\nc\n",
      "a\nb",
      "x\ny",
      "white space at line ends ignored",
      "x\ny\nc\n",
    ],
    [
      "with less indentation",
      code,
      "const a = 1;\nreturn a;",
      "return {\n  a: 1,\n};",
      "indentation adjusted",
      "function f() {\n    return {\n      a: 1,\n    };\n}\n",
    ],
    [
      "with more indentation",
      "if x:\n  y()\n",
      "    if x:\n      y()",
      "    if z:\n      y()",
      "indentation adjusted",
      "if z:\n  y()\n",
    ],
    [
      "with tabs for spaces",
      "{\n\ta();\n\tb();\n}\n",
      "    a();\n    b();",
      "    a();\n    c();",
      "indentation adjusted",
      "{\n\ta();\n\tc();\n}\n",
    ],
    [
      "with escaped characters",
      'say("hi")\nbye\n',
      'say(\\"hi\\")\\nbye',
      'say(\\"ho\\")\\nbye',
      "escape sequences read as characters",
      'say("ho")\nbye\n',
    ],
    [
      "with other white space",
      "if (a  ===  b) {\n  c();\n}\n",
      "if (a === b) {\nc();",
      "if (a) {\nd();",
      "white space ignored",
      "if (a) {\nd();\n}\n",
    ],
    [
      "with curly quotes",
      "say \u201chi\u201d \u2013 now\n",
      'say "hi" - now',
      'say "ho"',
      "quotes, dashes and white space in plain form",
      'say "ho"\n',
    ],
  ])("finds %s", (_, text, wanted, replacement, tolerance, result) => {
    expect(replaced(text, wanted, replacement)).toEqual({ count: 1, tolerance, result });
  });

  test.each([
    ["other text", code, "const b = 1;"],
    ["a block out of order", code, "return a;\nconst a = 1;"],
    ["blank lines only", "a\n\n\nb\n", "   \n   "],
    ["a part of a line with other white space", "a  +  b;\n", "a + b"],
  ])("does not find %s", (_, text, wanted) => {
    expect(replaced(text, wanted, "x")).toEqual({ count: 0, tolerance: undefined, result: text });
  });

  test("counts every place, without overlaps", () => {
    expect(replaced("aaaa", "aa", "b")).toEqual({ count: 2, tolerance: undefined, result: "bb" });
    expect(replaced("  x();\n  y();\n\tx();\n", "x();\n", "z();\n").count).toBe(2);
  });

  test("keeps what follows a block that ends with a line end", () => {
    expect(replaced("a \nb\nc", "a\n", "x\n").result).toBe("x\nb\nc");
    expect(replaced("a \nb\nc", "a\nb\n", "").result).toBe("c");
  });

  test("takes linear time on a long file", async () => {
    const look = (lines: number) => {
      const text = "  some line of text  \n".repeat(lines);
      return () => expect(findMatches(text, "not there at all\nnor this", "x").matches).toEqual([]);
    };
    expect(await growth(look(12_500), look(100_000), 24)).toBeLessThan(24);
  });
});
