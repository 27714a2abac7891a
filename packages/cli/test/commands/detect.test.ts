/** Checks that `detect --jsonl` answers every line, also an invalid one. */
import { describe, expect, test } from "vitest";
import { answerLine, readTools } from "../../src/commands/detect.ts";

const tools = [{ name: "ls", parameters: { type: "object", properties: { path: { type: "string" } } } }];
const call = '<tool_call>\n{"name": "ls", "arguments": {"path": "a"}}\n</tool_call>';
const found = [{ name: "ls", arguments: { path: "a" }, format: "hermes", repaired: false }];

const lines: [string, unknown, object][] = [
  [
    "plain tools",
    { id: 1, text: `Look. ${call}`, tools },
    { id: 1, calls: found, text: expect.stringMatching(/^Look\./), reasoning: "" },
  ],
  [
    "tools as OpenAI writes them",
    { id: "x", text: call, tools: [{ type: "function", function: tools[0] }] },
    { id: "x", calls: found, reasoning: "" },
  ],
  [
    "chunks in place of text",
    { id: 2, text: "ignored", chunks: [call.slice(0, 9), call.slice(9)], tools },
    { id: 2, calls: found },
  ],
  [
    "no call",
    { id: 3, text: "Hello <b>you</b>", tools },
    { id: 3, calls: [], text: "Hello <b>you</b>", reasoning: "" },
  ],
  [
    "reasoning that the prompt opened",
    { id: 4, text: "hm</think>Done", tools, starts_in_reasoning: true },
    { id: 4, calls: [], text: "Done", reasoning: "hm" },
  ],
  ["no text", { id: 5 }, { id: 5, error: expect.stringMatching(/expected text/) }],
  ["bad tools", { id: 6, text: "x", tools: {} }, { id: 6, error: "tools must be a list" }],
  ["no object", 7, { id: null, error: expect.stringMatching(/expected an object/) }],
];

describe("answerLine", () => {
  test.each(lines)("%s", (_what, value, expected) => {
    expect(answerLine({ ok: true, value }, tools, "auto")).toMatchObject(expected);
  });

  test("answers a line that is not JSON with the reason", () => {
    expect(answerLine({ ok: false, line: "{", message: "bad" }, tools, "auto")).toEqual({
      id: null,
      error: "not JSON: bad",
    });
  });
});

test("refuses a tool without a name", () => {
  expect([readTools([{}]), readTools("x")]).toEqual(["a tool needs a name", "tools must be a list"]);
});
