import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { type FormatId, formats } from "@localharness/detect";
import { toolCalls } from "@localharness/detect/ai-sdk";
import {
  fakeModelName,
  type Scenario,
  type ScriptedTurn,
  startFakeServer,
} from "@localharness/models/fake-server";
import { generateText, isStepCount, type LanguageModelUsage, streamText, tool, wrapLanguageModel } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const files = { "a.txt": "alpha", "b.txt": "beta" } as Record<string, string>;

const tools = {
  read_file: tool({
    description: "Reads a file.",
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => files[path] ?? "nothing",
  }),
  write_file: tool({
    description: "Writes a file.",
    inputSchema: z.object({ path: z.string(), content: z.string(), lines: z.number().optional() }),
    execute: ({ path, content }) => `wrote ${content.length} to ${path}`,
  }),
};

const turns: readonly ScriptedTurn[] = [
  {
    text: "I read both.",
    calls: [
      { name: "read_file", arguments: { path: "a.txt" } },
      { name: "read_file", arguments: { path: "b.txt" } },
    ],
  },
  { calls: [{ name: "write_file", arguments: { path: "c d.txt", content: 'alpha\n"beta" {}\n' } }] },
  { text: "All done." },
];

interface Step {
  readonly text: string;
  readonly calls: readonly { name: string; input: unknown }[];
  readonly results: readonly unknown[];
  readonly finishReason: string;
}

const expected: readonly Step[] = [
  {
    text: "I read both.",
    calls: [
      { name: "read_file", input: { path: "a.txt" } },
      { name: "read_file", input: { path: "b.txt" } },
    ],
    results: ["alpha", "beta"],
    finishReason: "tool-calls",
  },
  {
    text: "",
    calls: [{ name: "write_file", input: { path: "c d.txt", content: 'alpha\n"beta" {}\n' } }],
    results: ["wrote 16 to c d.txt"],
    finishReason: "tool-calls",
  },
  { text: "All done.", calls: [], results: [], finishReason: "stop" },
];

function modelOn(server: { baseUrl: string }, options: Parameters<typeof toolCalls>[0] = {}) {
  const provider = createOpenAICompatible({ name: "fake", baseURL: server.baseUrl });
  return wrapLanguageModel({ model: provider(fakeModelName), middleware: toolCalls(options) });
}

interface StepLike {
  readonly text: string;
  readonly toolCalls: readonly { toolName: string; input: unknown }[];
  readonly toolResults: readonly { output: unknown }[];
  readonly finishReason: string;
  readonly usage: LanguageModelUsage;
}

function told(steps: readonly StepLike[]): Step[] {
  return steps.map((step) => ({
    text: step.text.trim(),
    calls: step.toolCalls.map(({ toolName, input }) => ({ name: toolName, input })),
    results: step.toolResults.map(({ output }) => output),
    finishReason: step.finishReason,
  }));
}

const run = { prompt: "Do it.", tools, stopWhen: isStepCount(6), maxRetries: 0 } as const;

const written: readonly (FormatId | undefined)[] = [undefined, ...formats.map((row) => row.id)];

describe("an app of the AI SDK with tools", () => {
  it.each(written)("does the whole task when calls are written as %s", async (writtenAs) => {
    const scenario: Scenario = { turns: turns.map((turn) => (writtenAs ? { ...turn, writtenAs } : turn)) };
    await using server = await startFakeServer(scenario);
    const generated = await generateText({ ...run, model: modelOn(server) });
    expect(told(generated.steps)).toEqual(expected);
    const streamed = streamText({ ...run, model: modelOn(server) });
    expect(told(await streamed.steps)).toEqual(expected);
    expect(server.chats).toHaveLength(6);
  });

  it.each(formats.map((row) => row.id))(
    "does the whole task in text mode, asked for as %s",
    async (format) => {
      const scenario: Scenario = {
        turns: turns.map((turn) => ({ ...turn, writtenAs: format })),
        refusesTools: true,
      };
      await using server = await startFakeServer(scenario);
      const model = modelOn(server, { mode: "text", format });
      expect(told((await generateText({ ...run, model })).steps)).toEqual(expected);
      expect(told(await streamText({ ...run, model }).steps)).toEqual(expected);
      for (const chat of server.chats) expect(chat.body).not.toHaveProperty("tools");
      const last = server.chats.at(-1)?.body?.["messages"];
      expect(last).toEqual([
        { role: "system", content: expect.stringContaining("read_file") },
        { role: "user", content: "Do it." },
        { role: "assistant", content: expect.stringContaining("I read both.") },
        { role: "user", content: expect.anything() },
        { role: "assistant", content: expect.stringContaining("c d.txt") },
        { role: "user", content: "TOOL RESULT (write_file):\nwrote 16 to c d.txt" },
      ]);
    },
  );

  it("keeps the beginning of each request in text mode", async () => {
    const scenario: Scenario = { turns: turns.map((turn) => ({ ...turn, writtenAs: "hermes" })) };
    await using server = await startFakeServer(scenario);
    await generateText({ ...run, model: modelOn(server, { mode: "text" }), instructions: "Be brief." });
    const requests = server.chats.map((chat) => chat.body?.["messages"] as unknown[]);
    for (const [at, messages] of requests.entries()) {
      expect(requests.at(at + 1)?.slice(0, messages.length) ?? messages).toEqual(messages);
    }
    expect(requests[0]?.[0]).toEqual({ role: "system", content: expect.stringMatching(/^Be brief\.\n\n/) });
  });
});

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

const call = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>';
/** As it is written out when it turns out that it must not run. */
const rewritten = '<tool_call>\n{"name":"read_file","arguments":{"path":"a.txt"}}\n</tool_call>';
const input = [
  { type: "tool-input-start", id: "c1", toolName: "read_file" },
  { type: "tool-input-delta", id: "c1", delta: '{"path": "a.txt"}' },
  { type: "tool-input-end", id: "c1" },
];
const made = { type: "tool-call", toolCallId: "c1", toolName: "read_file", input: '{"path":"a.txt"}' };

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

describe("a call that cannot be read", () => {
  it("is answered with an error, and the model can correct itself in the next step", async () => {
    const broken = '<tool_call>\n{"name": "read_file", "arguments": ["a.txt"]}\n</tool_call>';
    await using server = await startFakeServer({
      turns: [{ text: broken }, { ...turns[0], writtenAs: "hermes" }, { text: "Done." }],
    });
    const { steps, text } = await generateText({ ...run, model: modelOn(server) });
    expect(steps[0]?.content).toContainEqual(
      expect.objectContaining({ type: "tool-error", toolName: "read_file" }),
    );
    expect(steps.map((step) => step.toolResults.length)).toEqual([0, 2, 0]);
    expect(text).toBe("Done.");
  });
});

it("reads a call of 1 MB in small pieces in linear time", async () => {
  const time = async (chars: number) => {
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
    const started = performance.now();
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
    return performance.now() - started;
  };
  await time(64_000);
  const small = await time(128_000);
  const large = await time(1_024_000);
  expect(large / small).toBeLessThan(24);
});
