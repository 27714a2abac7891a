import { toolCalls } from "@localharness/detect/ai-sdk";
import { type Scenario, type ScriptedTurn, startFakeServer } from "@localharness/models/fake-server";
import { describe, expect, it } from "vitest";
import { growth } from "../../../../test/measures.ts";
import { call, input, made, modelOn, open, rewritten } from "./middle-model.ts";

/** All that a stream gives, deltas of one part joined. */
async function partsOf(
  scenario: Scenario,
  options: Parameters<typeof toolCalls>[0] = {},
  choice: object = {},
) {
  await using server = await startFakeServer(scenario);
  let count = 0;
  const model = modelOn(server, { generateId: () => `c${++count}`, ...options });
  const { stream } = await model.doStream({
    prompt: [{ role: "user", content: [{ type: "text", text: "go" }] }],
    tools: [
      { type: "function", name: "read_file", inputSchema: { type: "object", properties: { path: {} } } },
    ],
    ...choice,
  });
  const parts: Record<string, unknown>[] = [];
  for await (const part of stream) {
    if (part.type === "stream-start" || part.type === "response-metadata") continue;
    const last = parts.at(-1);
    if ("delta" in part && last?.["type"] === part.type && last["id"] === part.id) {
      last["delta"] = `${last["delta"]}${part.delta}`;
    } else if (part.type === "finish") parts.push({ type: "finish", reason: part.finishReason.unified });
    else parts.push({ ...part });
  }
  return parts;
}

function textPart(delta: string, id = "txt-0") {
  return [
    { type: "text-start", id },
    { type: "text-delta", id, delta },
    { type: "text-end", id },
  ];
}

function reasoningPart(delta: string, id: string) {
  return textPart(delta, id).map((part) => ({ ...part, type: part.type.replace("text", "reasoning") }));
}

const body = '{"name": "read_file", "arguments": {"path": "a.txt"}}';

/** The parts of `open` in a reply that was cut off: its end is missing, so that its input is invalid. */
const cutInput = [
  { type: "tool-input-start", id: "c1", toolName: "read_file" },
  { type: "tool-input-delta", id: "c1", delta: '{"path":"a.txt"' },
  { type: "tool-input-end", id: "c1" },
  { ...made, input: open },
];

describe("the parts of a stream", () => {
  const cases: readonly {
    title: string;
    turn: ScriptedTurn;
    options?: Parameters<typeof toolCalls>[0];
    choice?: object;
    parts: readonly object[];
  }[] = [
    {
      title: "are the model's own where there is no call",
      turn: { text: " <tool_calling> is {not} a call \n\n" },
      parts: [...textPart(" <tool_calling> is {not} a call \n\n"), { type: "finish", reason: "stop" }],
    },
    {
      title: "have the text before and after a call as parts of their own",
      turn: { text: `Before.\n${call}\nAfter.` },
      parts: [
        ...textPart("Before.\n"),
        ...input,
        ...textPart("\nAfter.", "txt-0-2"),
        made,
        { type: "finish", reason: "tool-calls" },
      ],
    },
    {
      title: "have no text part when the reply is a call alone",
      turn: { text: call },
      parts: [...input, made, { type: "finish", reason: "tool-calls" }],
    },
    {
      title: "have the model's reasoning and thoughts in text as reasoning",
      turn: { reasoning: "I think.", text: `<think>\nHm, read.\n</think>\n\n${call}` },
      parts: [
        ...reasoningPart("I think.", "reasoning-0"),
        ...reasoningPart("\nHm, read.\n", "txt-0-1"),
        ...input,
        made,
        { type: "finish", reason: "tool-calls" },
      ],
    },
    {
      title: "keep a call as text beside a native one",
      turn: { text: call, calls: [{ id: "n1", name: "read_file", arguments: { path: "b.txt" } }] },
      parts: [
        ...input,
        ...textPart(rewritten, "c1-text"),
        { type: "tool-input-start", id: "n1", toolName: "read_file" },
        { type: "tool-input-delta", id: "n1", delta: '{"path":"b.txt"}' },
        { type: "tool-input-end", id: "n1" },
        { type: "tool-call", toolCallId: "n1", toolName: "read_file", input: '{"path":"b.txt"}' },
        { type: "finish", reason: "tool-calls" },
      ],
    },
    {
      title: "keep a call as text when the reply is broken off by a filter",
      turn: { text: call, finishReason: "content_filter" },
      parts: [...input, ...textPart(rewritten, "c1-text"), { type: "finish", reason: "content-filter" }],
    },
    {
      title: "have a call that is cut off as one with invalid input",
      turn: { text: call.slice(0, 60), finishReason: "length" },
      parts: [
        { type: "tool-input-start", id: "c1", toolName: "read_file" },
        { type: "tool-input-delta", id: "c1", delta: '{"path": "a.t' },
        { type: "tool-input-end", id: "c1" },
        { ...made, input: call.slice(0, 60) },
        { type: "finish", reason: "length" },
      ],
    },
    {
      title: "have a call without its end",
      turn: { text: open },
      parts: [
        { type: "tool-input-start", id: "c1", toolName: "read_file" },
        { type: "tool-input-delta", id: "c1", delta: '{"path":"a.txt"}' },
        { type: "tool-input-end", id: "c1" },
        made,
        { type: "finish", reason: "tool-calls" },
      ],
    },
    {
      title: "have a call without its end as one with invalid input if the reply was cut at its limit",
      turn: { text: open, finishReason: "length" },
      parts: [...cutInput, { type: "finish", reason: "length" }],
    },
    {
      title: "have a call without its end as one with invalid input if the reply ended for an unknown reason",
      turn: { text: open, finishReason: "abort" },
      parts: [...cutInput, { type: "finish", reason: "tool-calls" }],
    },
    {
      title: "have no valid input for an error, whatever its text is",
      turn: { text: `<tool_call>${body}\n${body}`, finishReason: "length" },
      parts: [
        ...input,
        ...input.map((part) => ({ ...part, id: "c2" })),
        made,
        {
          ...made,
          toolCallId: "c2",
          input: `The reply was cut off before the call of read_file had ended.\n\n${body}`,
        },
        { type: "finish", reason: "length" },
      ],
    },
    {
      title: "have a call that cannot be read as text where that is wanted",
      turn: { text: call.slice(0, 60) },
      options: { unreadable: "text" },
      parts: [
        { type: "tool-input-start", id: "c1", toolName: "read_file" },
        { type: "tool-input-delta", id: "c1", delta: '{"path": "a.t' },
        { type: "tool-input-end", id: "c1" },
        ...textPart(call.slice(0, 60)),
        { type: "finish", reason: "stop" },
      ],
    },
    {
      title: "have no call in another format where only one is to be read",
      turn: { text: call },
      options: { format: "mistral", strict: true },
      parts: [...textPart(call), { type: "finish", reason: "stop" }],
    },
    {
      title: "have no call when the app forbids calls",
      turn: { text: call },
      choice: { toolChoice: { type: "none" } },
      parts: [...textPart(call), { type: "finish", reason: "stop" }],
    },
  ];
  it.each(cases)("$title", async ({ turn, options, choice, parts }) => {
    for (const deltaChars of [1, 7, 10_000]) {
      expect(await partsOf({ turns: [turn], deltaChars }, options, choice)).toEqual(parts);
    }
  });
});

it("a stream that fails after a call keeps it as text", async () => {
  const faults = [{ kind: "error-line", afterEvents: 20, message: "out of memory" }] as const;
  const parts = await partsOf({ turns: [{ text: `${call} and more words`, faults }], deltaChars: 4 });
  expect(parts.filter((part) => part["type"] === "tool-call")).toEqual([]);
  expect(parts).toContainEqual({ type: "text-delta", id: "c1-text", delta: rewritten });
  expect(parts.at(-1)).toEqual({ type: "finish", reason: "error" });
});

it("reads a call of 1 MB in small pieces in linear time", async () => {
  const read = async (chars: number) => {
    const content = "x y\n".repeat(chars / 4);
    const text = `<tool_call>${JSON.stringify({ name: "write_file", arguments: { path: "a", content } })}</tool_call>`;
    const middleware = toolCalls();
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue({ type: "text-start", id: "0" });
        for (let at = 0; at < text.length; at += 8) {
          controller.enqueue({ type: "text-delta", id: "0", delta: text.slice(at, at + 8) });
        }
        controller.enqueue({ type: "text-end", id: "0" });
        controller.enqueue({ type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: {} });
        controller.close();
      },
    });
    const model = { modelId: "m", provider: "p", specificationVersion: "v4", supportedUrls: {} } as const;
    const result = await middleware.wrapStream?.({
      doGenerate: () => Promise.reject(new Error("not asked for")),
      doStream: () => Promise.resolve({ stream }),
      params: { prompt: [], tools: [{ type: "function", name: "write_file", inputSchema: {} }] },
      model: {
        ...model,
        doGenerate: () => Promise.reject(new Error("no")),
        doStream: async () => ({ stream }),
      },
    });
    let input: unknown;
    for await (const part of result?.stream ?? [])
      if (part.type === "tool-call") input = JSON.parse(part.input);
    expect(input).toEqual({ path: "a", content });
  };
  expect(
    await growth(
      () => read(128_000),
      () => read(1_024_000),
      24,
    ),
  ).toBeLessThan(24);
});

it.each<[string, readonly object[], string]>([
  ["at the end of the reply", [], open],
  ["before a part of the provider's own", [{ type: "raw", rawValue: {} }], open],
  ["before a source", [{ type: "source", sourceType: "url", id: "u", url: "http://x" }], open],
  ["before the response's own data", [{ type: "response-metadata", id: "r" }], open],
  ["before a text that says nothing", textPart("", "1"), open],
  ["before texts and lines that say nothing", [...textPart("\n", "1"), ...textPart(" ", "2")], open],
  ["before a text", textPart("\nmore", "1"), made.input],
  [
    "before more of the reply",
    [
      { type: "reasoning-start", id: "1" },
      { type: "reasoning-end", id: "1" },
    ],
    made.input,
  ],
])("a call without its end %s, which was cut", async (_title, between, input) => {
  const text = [
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: open },
    { type: "text-end", id: "0" },
  ];
  const finish = { type: "finish", finishReason: { unified: "length", raw: "length" }, usage: {} };
  const stream = new ReadableStream({
    start(controller) {
      for (const part of [...text, ...between, finish]) controller.enqueue(part);
      controller.close();
    },
  });
  const model = { modelId: "m", provider: "p", specificationVersion: "v4", supportedUrls: {} } as const;
  const doGenerate = () => Promise.reject(new Error("not asked for"));
  const tool = { type: "function", name: "read_file", inputSchema: { properties: { path: {} } } } as const;
  const result = await toolCalls().wrapStream?.({
    doGenerate,
    doStream: async () => ({ stream }),
    params: { prompt: [], tools: [tool] },
    model: { ...model, doGenerate, doStream: async () => ({ stream }) },
  });
  const parts = [];
  for await (const part of result?.stream ?? []) parts.push(part);
  expect(parts.filter(({ type }) => type === "tool-call")).toMatchObject([{ input }]);
  expect(parts.filter(({ type }) => type === "raw")).toHaveLength(
    between.filter((part) => "rawValue" in part).length,
  );
});
