/** Calls in the text of answers that were cut off: a call without its end does not run. */
import type { FormatId } from "@localharness/detect";
import { defined, type ModelEvent } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { defaultLimits } from "../../src/http/patience.ts";
import { createOllamaChat, createOpenaiChat, withTextToolCalls } from "../../src/index.ts";
import { type ScriptedTurn, startFakeServer } from "../fake-server/index.ts";
import { collect } from "../model-contract.ts";
import { createTestHttp, readTool, user } from "../test-request.ts";

const open: readonly (readonly [FormatId, string])[] = [
  ["qwen-coder", "<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n"],
  ["glm", "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n"],
  ["morph-xml", "<read_file>\n<path>a.txt</path>\n"],
  ["yaml-xml", "<read_file>\npath: a.txt\n"],
  ["hermes", '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n'],
];

interface Asked {
  readonly turn: ScriptedTurn;
  readonly answerChars?: number;
  readonly thinks?: boolean;
}

async function ask(
  wire: string,
  { turn, answerChars, thinks = false }: Asked,
): Promise<readonly ModelEvent[]> {
  await using server = await startFakeServer({ turns: [turn] });
  const limits = { ...defaultLimits, ...(answerChars === undefined ? {} : { answerChars }) };
  const shared = { model: "fake-model", http: createTestHttp(), limits };
  const chat =
    wire === "ollama"
      ? createOllamaChat({ ...shared, provider: "ollama", title: "Ollama", origin: server.origin })
      : createOpenaiChat({ ...shared, provider: "custom", title: "Test", baseUrl: server.baseUrl });
  const thoughts = { expected: () => thinks, note: () => {} };
  const request = { messages: [user("Do it.")], tools: [readTool] };
  return await collect(withTextToolCalls(chat, { thoughts }), request);
}

const ofCalls = (events: readonly ModelEvent[]) =>
  events.filter(({ type }) => type === "tool-call-end" || type === "tool-call-error");

describe.each([
  { wire: "ollama", cuts: [["length", "length"]] },
  {
    wire: "openai",
    cuts: [
      ["length", "length"],
      ["content_filter", "other"],
      ["abort", "other"],
    ],
  },
])("over $wire", ({ wire, cuts }) => {
  test.each(open)(
    "a call of %s without its end runs, unless the answer was cut off",
    async (format, text) => {
      const whole = await ask(wire, { turn: { text } });
      expect(ofCalls(whole)).toMatchObject([
        { type: "tool-call-end", arguments: { path: "a.txt" }, repairs: ["missing-end-tag"] },
      ]);
      for (const [finishReason, stopReason] of cuts) {
        for (const thinks of [false, true]) {
          const cut = await ask(wire, { turn: { text, ...defined({ finishReason }) }, thinks });
          expect(ofCalls(cut)).toMatchObject([
            { type: "tool-call-error", reason: "cut", name: "read_file", raw: text, format },
          ]);
          expect(cut.at(-1)).toMatchObject({ type: "model-end", stopReason });
        }
      }
    },
  );

  test("a call without its end does not run if more was not read", async () => {
    const [, text] = open[0] ?? ["", ""];
    const turn = { text: `${text}<parameter=limit>\n5\n</parameter>\n</function>\n</tool_call>` };
    const events = await ask(wire, { turn, answerChars: text.length });
    expect(ofCalls(events)).toMatchObject([{ type: "tool-call-error", reason: "cut", raw: text }]);
    expect(events.at(-1)).toMatchObject({ stopReason: "length", cut: { at: "reading" } });
  });

  test("a whole call runs before the limit", async () => {
    const text = `${open[0]?.[1]}</function>\n</tool_call>\nAnd then I`;
    const events = await ask(wire, { turn: { text, finishReason: "length" } });
    expect(ofCalls(events)).toMatchObject([{ type: "tool-call-end", arguments: { path: "a.txt" } }]);
  });
});

test("a whole call runs before a filter ends the answer, as a native call does", async () => {
  const text = `${open[0]?.[1]}</function>\n</tool_call>\nAnd then I`;
  const calls = [{ name: "read_file", arguments: { path: "a.txt" } }];
  for (const said of [{ text }, { calls }]) {
    const events = await ask("openai", { turn: { ...said, finishReason: "content_filter" } });
    expect(ofCalls(events)).toMatchObject([{ type: "tool-call-end" }]);
    expect(events.at(-1)).toMatchObject({ type: "model-end", stopReason: "tool-calls" });
  }
});

test.each(["eos", "eos_token", "end", "STOP", "stop_sequence", "end_turn", "tool_use", "COMPLETE"])(
  "a call without its end runs if the answer ended normally, with %s",
  async (finishReason) => {
    const events = await ask("openai", { turn: { text: open[0]?.[1] ?? "", finishReason } });
    expect(ofCalls(events)).toMatchObject([{ type: "tool-call-end", repairs: ["missing-end-tag"] }]);
    expect(events.at(-1)).toMatchObject({ type: "model-end", stopReason: "tool-calls" });
  },
);
