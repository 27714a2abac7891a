import { expect, test } from "vitest";
import { cutLine, cutLines, cutText } from "../src/cut-text.ts";

test("cuts at lines and says how many are left out", () => {
  const note = (leftOut: number) => `[${leftOut} more]`;
  expect(cutText("a\nb\nc", 100, note)).toBe("a\nb\nc");
  expect(cutText("aaa\nbbb\nccc\nddd", 8, note)).toBe("aaa\nbbb\n[2 more]");
  expect(cutText(`${"x".repeat(50)}\nb`, 10, note)).toBe("xxxxxxxxxx [... 40 more characters]\n[1 more]");
});

test("gives at least one line, and never half a character", () => {
  expect(cutLines(["long line", "b"], 4)).toEqual({ count: 1, text: "long [... 5 more characters]" });
  expect(cutLines([], 4)).toEqual({ count: 0, text: "" });
  expect(cutLine("ab🎉cd", 3)).toBe("ab [... 4 more characters]");
  expect(cutLine("ab🎉cd", 4)).toBe("ab🎉 [... 2 more characters]");
});
