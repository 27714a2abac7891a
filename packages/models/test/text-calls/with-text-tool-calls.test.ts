import { type FormatId, formats } from "@localharness/detect";
import type { Model } from "@localharness/engine";
import {
  emptyDraft,
  growDraft,
  type JsonObject,
  type ModelEvent,
  type ModelMessage,
} from "@localharness/protocol";
import { describe, expect, it } from "vitest";
import { createOllamaChat, createOpenaiChat, withTextToolCalls } from "../../src/index.ts";
import { type Scenario, type ScriptedTurn, startFakeServer } from "../fake-server/index.ts";
import { collect } from "../model-contract.ts";
import { createTestHttp, lsTool, readTool, user, writeTool } from "../test-request.ts";

const tools = [lsTool, readTool, writeTool];

const turns: readonly ScriptedTurn[] = [
  {
    text: "I look.",
    calls: [
      { name: "ls", arguments: { path: "." } },
      { name: "read_file", arguments: { path: "a b.txt" } },
    ],
  },
  {
    text: "I write.",
    calls: [{ name: "write_file", arguments: { path: "ü.txt", content: 'one\n"two" {3}\n' } }],
  },
  { text: "All done." },
];

interface Call {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** Runs a whole conversation like a session and returns its transcript without ids. */
async function converse(model: Model): Promise<{ text: string; calls: Call[] }[]> {
  const messages: ModelMessage[] = [user("Do it.")];
  const transcript = [];
  for (let turn = 0; turn < turns.length; turn += 1) {
    const events = await collect(model, { messages, tools });
    const ends = events.filter((event) => event.type === "tool-call-end");
    const text = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");
    const calls = ends.map(({ name, arguments: args }) => ({
      name,
      arguments: typeof args === "string" ? JSON.parse(args) : args,
    }));
    transcript.push({ text: text.trim(), calls });
    messages.push({ role: "assistant", content: text, ...(ends.length > 0 ? { toolCalls: ends } : {}) });
    for (const call of ends)
      messages.push({ role: "tool", toolCallId: call.id, toolName: call.name, content: "ok" });
    const last = events.at(-1);
    expect(last).toEqual({ type: "model-end", stopReason: calls.length > 0 ? "tool-calls" : "stop" });
  }
  return transcript;
}

const expected = turns.map((turn) => ({ text: turn.text, calls: turn.calls ?? [] }));

function ollamaOn(server: { origin: string }): Model {
  return createOllamaChat({
    provider: "ollama",
    title: "Ollama",
    model: "fake-model",
    http: createTestHttp(),
    origin: server.origin,
  });
}

function openaiOn(server: { baseUrl: string }): Model {
  return createOpenaiChat({
    provider: "custom",
    title: "Test",
    model: "fake-model",
    http: createTestHttp(),
    baseUrl: server.baseUrl,
  });
}

const written: readonly (FormatId | "native")[] = ["native", ...formats.map((row) => row.id)];
const ways = written.flatMap((writtenAs) => [
  { writtenAs, wire: "ollama", connect: ollamaOn },
  { writtenAs, wire: "openai", connect: openaiOn },
]);

describe("the same task gives the same calls", () => {
  it.each(ways)("written $writtenAs over the $wire wire", async ({ writtenAs, connect }) => {
    const scripted = writtenAs === "native" ? turns : turns.map((turn) => ({ ...turn, writtenAs }));
    await using server = await startFakeServer({ turns: scripted, deltaChars: 3 });
    expect(await converse(withTextToolCalls(connect(server)))).toEqual(expected);
  });

  it.each(formats.map((row) => row.id))("in text mode, asked for and written as %s", async (format) => {
    const scripted = turns.map((turn) => ({ ...turn, writtenAs: format }));
    await using server = await startFakeServer({ turns: scripted });
    const model = withTextToolCalls(ollamaOn(server), { mode: "text", formats: [format] });
    expect(await converse(model)).toEqual(expected);
    expect(server.chats.every((chat) => chat.body?.["tools"] === undefined)).toBe(true);
  });
});

describe("text mode", () => {
  it("describes the tools in the prompt and sends results as TOOL RESULT, each prompt the start of the next", async () => {
    await using server = await startFakeServer({
      turns: turns.map((turn) => ({ ...turn, writtenAs: "hermes" as const })),
    });
    await converse(withTextToolCalls(openaiOn(server), { mode: "text", formats: ["hermes"] }));
    const sent = server.chats.map((chat) => chat.body?.["messages"] as JsonObject[]);
    for (const [place, messages] of sent.entries()) {
      const next = sent[place + 1];
      if (next) expect(next.slice(0, messages.length)).toEqual(messages);
    }
    const last = sent.at(-1) ?? [];
    expect(last.map((message) => message["role"])).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "tool",
      "assistant",
      "tool",
    ]);
    for (const name of ["ls", "read_file", "write_file"]) expect(last[0]?.["content"]).toContain(name);
    expect(last[2]?.["content"]).toContain('<tool_call>\n{"name"');
    expect(last[2]?.["tool_calls"]).toBeUndefined();
    expect(last[3]).toEqual({
      role: "tool",
      tool_call_id: "call_1",
      name: "ls",
      content: "TOOL RESULT (ls):\nok",
    });
  });

  it("is used automatically, with results in the user role, after the server has refused tools", async () => {
    const scenario: Scenario = {
      turns: turns.map((turn) => ({ ...turn, writtenAs: "json" as const })),
      refusesTools: true,
    };
    await using server = await startFakeServer(scenario);
    const model = withTextToolCalls(ollamaOn(server));
    const seen: ModelEvent[] = [];
    const watching: Model = {
      ...model,
      async *stream(request, signal) {
        for await (const event of model.stream(request, signal)) {
          seen.push(event);
          yield event;
        }
      },
    };
    expect(await converse(watching)).toEqual(expected);
    expect(seen.filter((event) => event.type === "model-retry")).toEqual([
      {
        type: "model-retry",
        attempt: 1,
        waitMs: 0,
        message:
          "The server takes no native tool calls for fake-model: the tools are described in the prompt (format hermes), and its calls are read from its text.",
      },
    ]);
    // One refused request, then one per turn.
    expect(server.chats.length).toBe(turns.length + 1);
    const messages = server.chats.at(-1)?.body?.["messages"] as JsonObject[];
    expect(messages.map((message) => message["role"])).toEqual([
      "system",
      "user",
      "assistant",
      "user",
      "assistant",
      "user",
    ]);
    expect(messages[3]?.["content"]).toBe("TOOL RESULT (ls):\nok\n\nTOOL RESULT (read_file):\nok");
  });
});

/** A model that gives scripted events. */
function scripted(events: readonly ModelEvent[]): Model {
  return {
    name: "scripted",
    provider: "test",
    async *stream() {
      yield* events;
    },
  };
}

/** Returns the calls that are still open when the answer has ended. */
const openAtEnd = (events: readonly ModelEvent[]) =>
  Object.values(events.reduce(growDraft, emptyDraft).opening);

const end: ModelEvent = { type: "model-end", stopReason: "stop" };
const textCall = '<tool_call>\n{"name": "ls", "arguments": {"path": "."}}\n</tool_call>';

describe("native mode", () => {
  it("never takes a text call beside native calls, and keeps its text", async () => {
    const native: ModelEvent[] = [
      { type: "tool-call-start", index: 0, id: "n1", name: "read_file" },
      { type: "tool-call-end", index: 0, id: "n1", name: "read_file", arguments: '{"path":"a"}' },
    ];
    const before = [{ type: "text-delta" as const, text: `First.\n${textCall}` }, ...native, end];
    const after = [
      ...native.slice(0, 1),
      { type: "text-delta" as const, text: textCall },
      ...native.slice(1),
      end,
    ];
    for (const events of [before, after]) {
      const read = await collect(withTextToolCalls(scripted(events)), { messages: [], tools });
      const ends = read.filter((event) => event.type === "tool-call-end");
      expect(ends).toMatchObject([{ name: "read_file", id: "n1" }]);
      const text = read.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");
      expect(text).toMatch(/"name": ?"ls"/);
      expect(read.at(-1)).toEqual(end);
      expect(openAtEnd(read)).toEqual([]);
    }
  });

  it("keeps no call open that was turned back into text", async () => {
    const native = (index: number): ModelEvent[] => [
      { type: "tool-call-start", index, id: `n${index}`, name: "ls" },
      { type: "tool-call-end", index, id: `n${index}`, name: "ls", arguments: "{}" },
    ];
    const half = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a';
    // Only at the end of the text is the last one known to be a call.
    const texts = [textCall, `${textCall}\n${half}`, half, textCall.slice(0, -12), '[read_file(path="a")'];
    const begins = (text: string) => text.startsWith("<");
    for (const text of texts) {
      const events: ModelEvent[] = [{ type: "text-delta", text }, ...native(0), ...native(1), end];
      const read = await collect(withTextToolCalls(scripted(events)), { messages: [], tools });
      expect(read.filter((event) => event.type === "tool-call-end")).toMatchObject([
        { id: "n0" },
        { id: "n1" },
      ]);
      expect(openAtEnd(read)).toEqual([]);
      const parts = read.flatMap((event) => ("index" in event ? [event] : []));
      const last = new Map(parts.map(({ index, type }) => [index, type]));
      expect([...new Set(last.values())]).toEqual(
        begins(text) ? ["tool-call-withdrawn", "tool-call-end"] : ["tool-call-end"],
      );
      expect(read.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("")).toContain(
        "path",
      );
    }
  });

  it("passes text without calls and reasoning unchanged", async () => {
    const events: ModelEvent[] = [
      { type: "reasoning-delta", text: textCall },
      { type: "text-delta", text: "a <tool" },
      { type: "text-delta", text: "box> {1} `ls`" },
      end,
    ];
    const read = await collect(withTextToolCalls(scripted(events)), { messages: [], tools });
    expect(read).toEqual([events[0], { type: "text-delta", text: "a <toolbox> {1} `ls`" }, end]);
  });

  it("holds a call back until the answer is complete", async () => {
    const broken: ModelEvent = {
      type: "model-error",
      code: "server-error",
      message: "gone",
      retryable: true,
    };
    const events: ModelEvent[] = [{ type: "text-delta", text: `Now.\n${textCall}\n` }, broken];
    const read = await collect(withTextToolCalls(scripted(events)), { messages: [], tools });
    expect(read.some((event) => event.type === "tool-call-end")).toBe(false);
    expect(read.at(-1)).toEqual(broken);
    const text = read.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");
    expect(text).toMatch(/"name": ?"ls"/);
  });

  it("reports an incomplete call with its text and a correct example", async () => {
    const half = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a';
    const read = await collect(withTextToolCalls(scripted([{ type: "text-delta", text: half }, end])), {
      messages: [],
      tools,
    });
    const error = read.find((event) => event.type === "tool-call-error");
    expect(error).toMatchObject({ reason: "incomplete", raw: half, name: "read_file", format: "hermes" });
    expect(error?.type === "tool-call-error" && error.message).toContain(
      "A correct call looks like this:\n<tool_call>",
    );
    expect(read.at(-1)).toEqual(end);
  });

  const repaired = [
    { text: '{"path":"a.txt",}', arguments: { path: "a.txt" } },
    { text: "{'path':'a.txt'}", arguments: { path: "a.txt" } },
    { text: '```json\n{"path":"a.txt"}\n```', arguments: { path: "a.txt" } },
    { text: '{"path":"a.txt"', arguments: '{"path":"a.txt"' },
    { text: '{"path":{"a":1}', arguments: '{"path":{"a":1}' },
    { text: '{"path": "a.txt" }', arguments: '{"path": "a.txt" }' },
    { text: '{"path":"a.txt"}<|call|>', arguments: { path: "a.txt" } },
    { text: '{"path":"a.txt"}\n<|im_end|> <|endoftext|>\n', arguments: { path: "a.txt" } },
    { text: '{"path":"a.txt"}<｜tool▁call▁end｜>', arguments: { path: "a.txt" } },
    { text: '{"path":"a.txt",}<|call|>', arguments: { path: "a.txt" } },
    { text: '{"path":"a.txt<|call|>', arguments: '{"path":"a.txt<|call|>' },
    { text: '{"path":"a "b" c"}', arguments: { path: 'a "b" c' } },
    { text: '{"path":"{"a":"b"}"}', arguments: { path: '{"a":"b"}' } },
    ...[
      '{"path":"a"}{"path":"b"}',
      '{"path":"a"}\n{"path":"b"}',
      '{"path":"a"},{"path":"b"}',
      '{"path":"a"}{"content":"b"}',
      '{"path":"a",}{"path":"b"}',
      "{'path':'a'}{'path':'b'}",
      "{'path':'}'}{'path':'b'}",
      `{'path':'"a'}",'}`,
      '{"path":"a "b" c"}{"path":"b"}',
      '{"path":"a"}{"path":"b"}{"path":"c"}',
      '{"path":"a"} "x"}',
    ].map((text) => ({ text, arguments: text })),
  ];
  it.each(repaired)("repairs native arguments only where nothing can be missing: $text", async (row) => {
    const events: ModelEvent[] = [
      { type: "tool-call-start", index: 0, id: "n1", name: "read_file" },
      { type: "tool-call-end", index: 0, id: "n1", name: "read_file", arguments: row.text },
      { type: "model-end", stopReason: "tool-calls" },
    ];
    const read = await collect(withTextToolCalls(scripted(events)), { messages: [], tools });
    const call = read.find((event) => event.type === "tool-call-end");
    expect(call).toMatchObject({ arguments: row.arguments });
    expect(call?.type === "tool-call-end" && call.repairs !== undefined).toBe(
      typeof row.arguments !== "string",
    );
  });

  it("restarts the index of text calls in each answer, and never repeats an id", async () => {
    const messages: ModelMessage[] = [
      { role: "assistant", content: "", toolCalls: [{ id: "call_1", name: "ls", arguments: {} }] },
      { role: "tool", toolCallId: "call_1", toolName: "ls", content: "" },
    ];
    const events: ModelEvent[] = [{ type: "text-delta", text: `${textCall}\n${textCall}` }, end];
    const read = await collect(withTextToolCalls(scripted(events)), { messages, tools });
    const ends = read.filter((event) => event.type === "tool-call-end");
    expect(ends.map(({ index, id }) => ({ index, id }))).toEqual([
      { index: 0, id: "call_2" },
      { index: 1, id: "call_3" },
    ]);
  });

  it("reads only the given formats with strictFormats", async () => {
    const events: ModelEvent[] = [{ type: "text-delta", text: textCall }, end];
    const ends = async (strictFormats: boolean) => {
      const model = withTextToolCalls(scripted(events), { formats: ["ralph-lines"], strictFormats });
      return (await collect(model, { messages: [], tools })).filter((event) => event.type === "tool-call-end")
        .length;
    };
    expect([await ends(false), await ends(true)]).toEqual([1, 0]);
  });

  it("watches nothing when no tool is on offer", async () => {
    const events: ModelEvent[] = [{ type: "text-delta", text: textCall }, end];
    expect(await collect(withTextToolCalls(scripted(events)), { messages: [], tools: [] })).toEqual(events);
  });
});

it.each<[string, number]>([
  ["deepseek-v3.2", 1],
  ["deepseek-v4", 0],
])("a frame that only earlier versions write is read by the name of the model: %s", async (name, calls) => {
  const text =
    '<｜DSML｜function_calls><｜DSML｜invoke name="ls"><｜DSML｜parameter name="path" string="true">.</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>';
  await using server = await startFakeServer({ turns: [{ text }] });
  const model = withTextToolCalls({ ...ollamaOn(server), name });
  const events = await collect(model, { messages: [user("Do it.")], tools });
  expect(events.filter(({ type }) => type === "tool-call-end")).toHaveLength(calls);
  expect(events.filter(({ type }) => type === "tool-call-error")).toHaveLength(1 - calls);
});
