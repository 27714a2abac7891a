/** Which tool results are shortened, in which order, and what stays. */
import { resultCompactor } from "@localharness/context";
import type { ModelMessage, ToolResult } from "@localharness/protocol";
import { describe, expect, test } from "vitest";

interface Made {
  readonly path: string;
  readonly text?: string;
  readonly error?: string;
}

/** Returns a prompt in which the model called `read_file` for each row. The ids of the calls are `c0`, `c1`, ... */
function promptOf(rows: readonly Made[]): readonly ModelMessage[] {
  const calls = rows.flatMap(({ path, text, error }, index): ModelMessage[] => [
    {
      role: "assistant",
      content: `step ${index}`,
      toolCalls: [{ id: `c${index}`, name: "read_file", arguments: { path } }],
    },
    { role: "tool", toolCallId: `c${index}`, toolName: "read_file", content: resultOf(text, error) },
  ]);
  return [
    { role: "system", content: "s".repeat(2_000) },
    { role: "user", content: "the task", from: "person" },
    ...calls,
  ];
}

function resultOf(data: string | null = null, error: string | null = null): string {
  const result: ToolResult = {
    success: error === null,
    data,
    error_message: error,
    error_type: error === null ? "none" : "io_error",
    metadata: { execution_time_ms: 1, data_size_bytes: data?.length ?? 0, timestamp: 1 },
  };
  return JSON.stringify(result);
}

const charsOf = (messages: readonly ModelMessage[]) =>
  messages.reduce((sum, { content }) => sum + content.length, 0);
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
    ["short results never", [{ path: "a", text: "tiny" }, ...distinct(5)], 100, ["c1"]],
    ["the newest four if nothing else is left", distinct(4), 3_500, ["c0", "c1", "c2", "c3"]],
  ])("%s", (_what, rows, excess, expected) => {
    const messages = promptOf(rows);
    const shortened = resultCompactor.shorten(messages, charsOf(messages) - excess);
    expect(shortened.map(({ callId }) => callId)).toEqual(expected);
  });
});

describe("what stays of a shortened result", () => {
  const shortenAll = (rows: readonly Made[]) => {
    const contents = resultCompactor
      .shorten(promptOf(rows), 0)
      .map(({ callId, content }) => [callId, content]);
    return new Map(contents.map(([id, content]) => [id, JSON.parse(content ?? "") as ToolResult]));
  };

  test("an old result becomes one sentence in a ToolResult that is otherwise the same", () => {
    const first = shortenAll(distinct(6)).get("c0");
    expect(first).toMatchObject({ success: true, error_message: null, error_type: "none" });
    expect(first?.data).toBe(
      "[1002 characters were removed to save room in the context window. Call read_file again if you need it.]",
    );
  });

  test("the beginning of an old error stays", () => {
    const error = `cannot read f: ${text("e")}`;
    const first = shortenAll([{ path: "f", error }, ...distinct(5)]).get("c0");
    expect(first?.data).toBeNull();
    expect(first?.error_message).toBe(`${error.slice(0, 300)} [...]`);
  });

  test("the newest results keep their beginning and their end", () => {
    const last = shortenAll([{ path: "f", text: `head ${text("m")} tail` }]).get("c0");
    expect(last?.data).toMatch(/^head m+\n\[710 characters were left out here, .*\]\nm+ tail$/s);
  });

  test.each([
    ["a message that is no JSON", "plain text"],
    ["JSON that is no ToolResult", "[1,2]"],
  ])("%s stays whole", (_what, content) => {
    const odd: ModelMessage = { role: "tool", toolCallId: "c0", toolName: "read_file", content };
    expect(resultCompactor.shorten([...promptOf([]), odd], 0)).toEqual([]);
  });

  test("a second compaction shortens nothing that is short already", () => {
    const messages = promptOf(distinct(9));
    const contents = new Map(resultCompactor.shorten(messages, 0).map((row) => [row.callId, row.content]));
    const again = messages.map((message) =>
      message.role === "tool"
        ? { ...message, content: contents.get(message.toolCallId) ?? message.content }
        : message,
    );
    expect(resultCompactor.shorten(again, 0)).toEqual([]);
  });
});
