import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { createOutputCapture } from "../../src/children/capture-output.ts";
import { createOutputFolder } from "../../src/children/create-output-folder.ts";
import { createErrorLines } from "../../src/children/error-lines.ts";

function linesIn(chunks: readonly string[]): readonly string[] {
  const errors = createErrorLines();
  for (const chunk of chunks) errors.push(Buffer.from(chunk));
  return errors
    .between(0, Number.POSITIVE_INFINITY, 10_000)
    .map(({ number, text, offset }) => `${number}@${offset} ${text}`);
}

describe("lines that look like errors", () => {
  test.each([
    ["a compiler", "src/a.c:3:1: error: expected ';'"],
    ["TypeScript", "src/a.ts(3,1): error TS2304: Cannot find name 'x'."],
    ["JavaScript", "TypeError: x is not a function"],
    ["Python", "Traceback (most recent call last):"],
    ["pytest", "E   assert 1 == 2"],
    ["Go", "panic: runtime error: index out of range"],
    ["TAP", "not ok 3 - sums"],
    ["a linker", "main.o: undefined reference to `area'"],
    ["vitest", " ✗ sums numbers"],
    ["a shell", "cp: /root/x: Permission denied"],
  ])("of %s", (_, line) => {
    expect(linesIn([`begin\n${line}\nend\n`])).toEqual([`2@6 ${line}`]);
  });

  test.each([
    "0 errors, 12 warnings",
    "found no errors",
    "12 passed, 0 failed",
    "compiled terror.ts and mirrored it",
    "all is well",
  ])("are not: %s", (line) => {
    expect(linesIn([`${line}\n`])).toEqual([]);
  });

  test("are the same however the output is cut", () => {
    const text = "first\nError: é one\n\nlast\nfailed: two\nend\n";
    const expected = ["2@6 Error: é one", "5@26 failed: two"];
    for (let at = 0; at <= text.length; at += 1) {
      expect(linesIn([text.slice(0, at), text.slice(at)])).toEqual(expected);
    }
    expect(linesIn([...text])).toEqual(expected);
  });

  test("are cut themselves, but never between two lines", () => {
    const errors = createErrorLines();
    errors.push(Buffer.from(`error: ${"x".repeat(10_000)}\nerror: short\n`));
    expect(errors.between(0, 20_000, 10_000).map(({ text }) => text.length)).toEqual([240, 12]);
    expect(errors.between(0, 20_000, 250)).toHaveLength(1);
  });
});

describe("a long output", () => {
  function shown(limit: number, lines: readonly string[]): string {
    const output = createOutputCapture(limit, createOutputFolder(temporaryFolder()));
    for (const line of lines) output.push(Buffer.from(`${line}\n`));
    return output.finish().text;
  }

  const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index + 1} of a long build`);

  test("shows the errors out of its middle with their line numbers, within its limit", () => {
    const broken = lines.with(999, "src/area.ts:7: error: no such name").with(1_199, "3 tests failed");
    const text = shown(2_000, broken);
    expect(text).toContain("1000: src/area.ts:7: error: no such name\n1200: 3 tests failed\n[...]\n");
    expect(text.startsWith("line 1 of")).toBe(true);
    expect(text.endsWith("line 2000 of a long build\n")).toBe(true);
    expect(text.length).toBeLessThan(2_100);
  });

  test("shows an error once that its beginning or its end has anyway", () => {
    const broken = lines.with(0, "error: at the beginning").with(1_999, "error: at the end");
    const text = shown(2_000, broken);
    expect(text.match(/error: at/g)).toHaveLength(2);
    expect(text).not.toContain("look like errors");
  });

  test("stays within its limit with more errors than have room", () => {
    const text = shown(
      2_000,
      lines.map((line) => `error: ${line}`),
    );
    expect(text.length).toBeLessThan(2_100);
    expect(text).toContain("look like errors");
  });
});
