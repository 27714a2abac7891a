/** Which tool results are shortened, in which order, and what stays. */
import { promptChars } from "@localharness/engine";
import type { ModelMessage, ShortenedResult, ToolResult } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { shortenNewest, shortenOld } from "../src/shorten-results.ts";
import { type Made, promptOf } from "./prompt-of.ts";

const text = (letter: string) => letter.repeat(1_000);
const distinct = (count: number): readonly Made[] =>
  Array.from({ length: count }, (_, index) => ({ path: `f${index}`, text: `${index} ${text("x")}` }));

describe("the results that are needed least are shortened first", () => {
  test.each<[string, readonly Made[], number, readonly string[]]>([
    ["nothing when the prompt is short enough", distinct(6), 0, []],
    ["the oldest first", distinct(7), 100, ["c0"]],
    ["only as many as are needed", distinct(8), 1_500, ["c0", "c1"]],
    [
      "a result that the same call replaced, before older ones",
      [...distinct(6), { path: "z", text: text("a") }, { path: "z", text: text("b") }],
      100,
      ["c6"],
    ],
    [
      "a result that came again with other arguments",
      [...distinct(6), { path: "y", text: text("a") }, { path: "z", text: text("a") }],
      100,
      ["c6"],
    ],
    [
      "no result because the same call failed later",
      [...distinct(5), { path: "z", text: text("a") }, { path: "z", error: "denied" }],
      100,
      ["c0"],
    ],
    ["short results never", [{ path: "a", text: "tiny" }, ...distinct(5)], 100, ["c1"]],
    ["the newest four stay", distinct(4), 3_500, []],
  ])("%s", (_what, rows, excess, expected) => {
    const messages = promptOf(rows);
    const shortened = shortenOld(messages, promptChars(messages) - excess);
    expect(shortened.map(({ callId }) => callId)).toEqual(expected);
  });
});

describe("what stays of a shortened result", () => {
  const contentsOf = (rows: readonly ShortenedResult[]) =>
    new Map(rows.map(({ callId, content }) => [callId, JSON.parse(content) as ToolResult]));

  test("an old result becomes one sentence in a ToolResult that is otherwise the same", () => {
    const first = contentsOf(shortenOld(promptOf(distinct(6)), 0)).get("c0");
    expect(first).toMatchObject({ success: true, error_message: null, error_type: "none" });
    expect(first?.data).toBe(
      "[1002 characters were removed to save room in the context window. Call read_file again if you need it.]",
    );
  });

  test("the beginning of an old error stays", () => {
    const error = `cannot read f: ${text("e")}`;
    const first = contentsOf(shortenOld(promptOf([{ path: "f", error }, ...distinct(5)]), 0)).get("c0");
    expect(first?.data).toBeNull();
    expect(first?.error_message).toBe(`${error.slice(0, 300)} [...]`);
  });

  test("the newest results keep their beginning and their end", () => {
    const last = contentsOf(shortenNewest(promptOf([{ path: "f", text: `head ${text("m")} tail` }]), 0)).get(
      "c0",
    );
    expect(last?.data).toMatch(/^head m+\n\[710 characters were left out here, .*\]\nm+ tail$/s);
  });

  test.each([
    ["a message that is not JSON", "plain text"],
    ["JSON that is not a ToolResult", "[1,2]"],
  ])("%s stays whole", (_what, content) => {
    const odd: ModelMessage = { role: "tool", toolCallId: "c0", toolName: "read_file", content };
    expect(shortenNewest([...promptOf([]), odd], 0)).toEqual([]);
  });
});
