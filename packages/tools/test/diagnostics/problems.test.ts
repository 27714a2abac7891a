import type { JsonValue } from "@localharness/protocol";
import { expect, test } from "vitest";
import { languageOf } from "../../src/diagnostics/languages.ts";
import { createFrameReader, writeFrame } from "../../src/diagnostics/message-frames.ts";
import { addedProblems, problemsText, readProblems } from "../../src/diagnostics/problems.ts";

const error = (line: JsonValue, message: JsonValue, more = {}) => ({
  range: { start: { line } },
  message,
  ...more,
});

test.each<[string, JsonValue, readonly string[]]>([
  ["an error", [error(0, "x")], ["1 x"]],
  ["an error with its code, on one line", [error(4, "a\n\tb", { severity: 1, code: "E1" })], ["5 a b (E1)"]],
  ["no warning", [error(0, "x", { severity: 2 })], []],
  ["invisible characters as codes", [error(0, "a\u202eb")], ["1 a\\u202eb"]],
  ["nothing of malformed entries", [null, 7, {}, error("0", "x"), error(0, 7), error(0.5, "x")], []],
  ["nothing of something else", { a: 1 }, []],
])("reads %s", (_what, diagnostics, expected) => {
  expect(readProblems(diagnostics).map(({ line, text }) => `${line} ${text}`)).toEqual(expected);
});

test.each([
  [[], ["a"], ["a"]],
  [["a"], ["a"], []],
  [["a"], ["a", "a", "b"], ["a", "b"]],
  [["a", "b"], [], []],
])("before %j, after %j: %j is new", (before, after, added) => {
  const all = (texts: readonly string[]) => texts.map((text, at) => ({ line: at + 1, text }));
  expect(addedProblems(all(before), all(after)).map(({ text }) => text)).toEqual(added);
});

test("no errors make no text", () => {
  expect(problemsText("s", [{ path: "a", problems: [] }])).toBe(undefined);
});

test("messages are read from pieces that are split anywhere", () => {
  const bytes = Buffer.from(writeFrame({ id: 1, result: "ä" }) + writeFrame({ method: "x", params: {} }));
  for (let at = 0; at <= bytes.length; at += 1) {
    const reader = createFrameReader();
    const read = [...reader.push(bytes.subarray(0, at)), ...reader.push(bytes.subarray(at))];
    expect(read).toEqual([
      { jsonrpc: "2.0", id: 1, result: "ä" },
      { jsonrpc: "2.0", method: "x", params: {} },
    ]);
  }
});

test.each(["x".repeat(5_000), "Content-Length: 99999999\r\n\r\n", "Length: 3\r\n\r\nabc"])(
  "%# is no message",
  (text) => {
    expect(() => createFrameReader().push(Buffer.from(text))).toThrow(/it wrote/);
  },
);

test.each([
  ["a/b.ts", "TypeScript"],
  ["x.test.mjs", "TypeScript"],
  ["a.py", "Python"],
  ["a.go", "Go"],
  ["a.rs", "Rust"],
  ["a.hpp", "C and C++"],
  ["a.md", undefined],
  ["Makefile", undefined],
])("%s is of %s", (path, name) => {
  expect(languageOf(path)?.name).toBe(name);
});
