import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { formats } from "@localharness/detect";
import { describe, expect, it } from "vitest";
import { type AiSdkModel, type FromAiSdkOptions, fromAiSdk, withTextToolCalls } from "../../src/index.ts";
import { type Fault, fakeModelName, type ScriptedTurn, startFakeServer } from "../fake-server/index.ts";
import { collect, emptyRequest } from "../model-contract.ts";
import { conversation, lsTool, readTool, user } from "../test-request.ts";

const request = { messages: [user("Go.")], tools: [lsTool, readTool] };
const quick: FromAiSdkOptions = { retry: { firstWaitMs: 1 }, random: () => 0.5 };

function modelAt(baseURL: string, options: FromAiSdkOptions = quick, apiKey?: string) {
  const provider = createOpenAICompatible({
    name: "fake",
    baseURL,
    includeUsage: true,
    ...(apiKey ? { apiKey } : {}),
  });
  return fromAiSdk(provider(fakeModelName), options);
}

async function answerTo(turn: ScriptedTurn, options?: FromAiSdkOptions) {
  await using server = await startFakeServer({ turns: [turn] });
  return await collect(modelAt(server.baseUrl, options), request);
}

const end = { type: "model-end", stopReason: "stop" };
const usage = {
  type: "usage",
  inputTokens: expect.any(Number),
  outputTokens: expect.any(Number),
  cachedTokens: 0,
};

describe("a real model of the AI SDK", () => {
  it("has the name and the provider that the SDK gives", () => {
    expect(modelAt("http://127.0.0.1:1")).toMatchObject({ name: fakeModelName, provider: "fake.chat" });
  });

  it("gives text and reasoning as deltas, usage, and one end", async () => {
    expect(await answerTo({ reasoning: "I think.", text: "Hello, you." })).toEqual([
      { type: "reasoning-delta", text: "I think." },
      { type: "text-delta", text: "Hello, you." },
      usage,
      end,
    ]);
  });

  it("gives native calls, which end only with the answer", async () => {
    const calls = [
      { id: "a", name: "ls", arguments: {} },
      { id: "b", name: "read_file", arguments: { path: "ü.txt" } },
    ];
    expect(await answerTo({ text: "I look.", calls })).toEqual([
      { type: "text-delta", text: "I look." },
      { type: "tool-call-start", index: 0, id: "a", name: "ls" },
      { type: "tool-call-delta", index: 0, argumentsText: "{}" },
      { type: "tool-call-start", index: 1, id: "b", name: "read_file" },
      { type: "tool-call-delta", index: 1, argumentsText: '{"path":"ü.txt"}' },
      usage,
      { type: "tool-call-end", index: 0, id: "a", name: "ls", arguments: "{}" },
      { type: "tool-call-end", index: 1, id: "b", name: "read_file", arguments: '{"path":"ü.txt"}' },
      { type: "model-end", stopReason: "tool-calls" },
    ]);
  });

  it("says when the answer was cut at its limit", async () => {
    expect((await answerTo({ text: "Once", finishReason: "length" })).at(-1)).toEqual({
      type: "model-end",
      stopReason: "length",
    });
  });

  it("sends the whole conversation, results and tools, the same each time", async () => {
    await using server = await startFakeServer({ turns: [{}, { text: "ok" }] });
    const model = modelAt(server.baseUrl, { ...quick, settings: { temperature: 0.2 } });
    await collect(model, { messages: conversation, tools: [lsTool] });
    await collect(model, { messages: conversation, tools: [lsTool] });
    const [first, second] = server.chats.map((chat) => chat.body);
    expect(second).toEqual(first);
    expect(first).toMatchObject({
      temperature: 0.2,
      tool_choice: "auto",
      tools: [{ type: "function", function: { name: "ls", parameters: lsTool.parameters } }],
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "List." },
        {
          role: "assistant",
          tool_calls: [
            { id: "call_1", function: { name: "ls", arguments: '{"path":"."}' } },
            { id: "call_2", function: { name: "ls", arguments: '{"unreadable":"{broken"}' } },
          ],
        },
        { role: "tool", tool_call_id: "call_1", content: "a.txt" },
        { role: "tool", tool_call_id: "call_2", content: "no" },
      ],
    });
  });

  it.each(formats.map((row) => row.id))("finds calls that it writes as %s", async (writtenAs) => {
    const calls = [{ name: "read_file", arguments: { path: "a b.txt" } }];
    await using server = await startFakeServer({ turns: [{ text: "I read.", calls, writtenAs }] });
    const events = await collect(withTextToolCalls(modelAt(server.baseUrl)), request);
    expect(events.filter((event) => event.type === "tool-call-end")).toMatchObject(calls);
    expect(events.at(-1)).toEqual({ type: "model-end", stopReason: "tool-calls" });
  });

  it("is asked in text mode once the server has refused tools", async () => {
    const turn: ScriptedTurn = { calls: [{ name: "ls", arguments: {} }], writtenAs: "hermes" };
    await using server = await startFakeServer({ turns: [turn], refusesTools: true });
    const events = await collect(withTextToolCalls(modelAt(server.baseUrl)), request);
    expect(events[0]).toMatchObject({
      type: "model-retry",
      message: expect.stringContaining("takes no native tool calls"),
    });
    expect(events).toContainEqual(
      expect.objectContaining({ type: "tool-call-end", name: "ls", format: "hermes" }),
    );
  });
});

describe("a failure is one typed event, the last", () => {
  const cases: readonly { title: string; fault: Fault; code: string; retryable: boolean; tries?: number }[] =
    [
      {
        title: "an overloaded server, after four tries",
        fault: status(503),
        code: "server-error",
        retryable: true,
        tries: 4,
      },
      {
        title: "too many requests",
        fault: status(429, { "retry-after": "0" }),
        code: "rate-limited",
        retryable: true,
        tries: 4,
      },
      { title: "a wrong key", fault: status(401), code: "unauthorized", retryable: false },
      { title: "an unknown address", fault: status(404), code: "model-not-found", retryable: false },
      {
        title: "a prompt that is too long",
        fault: { kind: "status", status: 400, body: { error: { message: "prompt is too long: 9 > 8" } } },
        code: "context-overflow",
        retryable: false,
      },
      { title: "a web page", fault: { kind: "html" }, code: "bad-response", retryable: false },
      {
        title: "a connection that is closed",
        fault: { kind: "hang-up" },
        code: "server-error",
        retryable: true,
        tries: 4,
      },
    ];
  function status(code: number, headers: Record<string, string> = {}): Fault {
    return { kind: "status", status: code, headers };
  }
  it.each(cases)("$title", async ({ fault, code, retryable, tries = 1 }) => {
    await using server = await startFakeServer({ turns: [{ faults: [fault, fault, fault, fault] }] });
    const events = await collect(modelAt(server.baseUrl), request);
    expect(events.at(-1)).toMatchObject({ type: "model-error", code, retryable });
    expect(events.slice(0, -1).map((event) => event.type)).toEqual(Array(tries - 1).fill("model-retry"));
    expect(server.chats).toHaveLength(tries);
  });

  it("is tried again when the first try fails, and then works", async () => {
    const events = await answerTo({ text: "hi", faults: [{ kind: "status", status: 500 }] });
    expect(events.map((event) => event.type)).toEqual(["model-retry", "text-delta", "usage", "model-end"]);
  });

  it("is not tried again after the first token, and half a call never runs", async () => {
    const calls = [{ name: "read_file", arguments: { path: "a-long-name-that-takes-several-pieces.txt" } }];
    for (const fault of [
      { kind: "drop", afterEvents: 4 },
      { kind: "error-line", afterEvents: 4, message: "out of memory" },
    ] as const) {
      const events = await answerTo({ calls, faults: [fault] });
      expect(events.filter((event) => event.type === "tool-call-end")).toEqual([]);
      expect(events.at(-1)).toMatchObject({
        type: "model-error",
        message: expect.stringContaining("read_file"),
      });
    }
  });

  it("hides keys in messages", async () => {
    await using server = await startFakeServer({
      turns: [
        { faults: [{ kind: "status", status: 400, body: { error: { message: "bad key sk-secret-1" } } }] },
      ],
    });
    const model = modelAt(server.baseUrl, { ...quick, secrets: ["sk-secret-1"] }, "sk-secret-1");
    expect(JSON.stringify(await collect(model, request))).not.toContain("sk-secret-1");
  });

  it("names a server that does not run", async () => {
    const server = await startFakeServer({ turns: [] });
    await server.close();
    const events = await collect(modelAt(server.baseUrl), request);
    expect(events.at(-1)).toMatchObject({ type: "model-error", code: "connection-refused" });
  });

  it("is a timeout after a silence that is too long", async () => {
    const turn: ScriptedTurn = {
      text: "one two three four five",
      faults: [{ kind: "stall", afterEvents: 2 }],
    };
    const events = await answerTo(turn, { ...quick, limits: { betweenTokensMs: 60 } });
    expect(events.at(-1)).toMatchObject({ type: "model-error", code: "timeout" });
  });
});

describe("an abort", () => {
  it.each([
    { title: "before the first byte", fault: { kind: "hold" } as const },
    { title: "in the middle of the answer", fault: { kind: "stall", afterEvents: 3 } as const },
  ])("ends the stream at once $title", async ({ fault }) => {
    await using server = await startFakeServer({ turns: [{ text: "one two three four", faults: [fault] }] });
    const controller = new AbortController();
    const events = collect(modelAt(server.baseUrl), request, controller.signal, ({ type }) => {
      if (type === "text-delta") controller.abort();
    });
    await expect.poll(() => server.chats).toHaveLength(1);
    if (fault.kind === "hold") controller.abort();
    // The server sends nothing more, so that nothing but the abort can end the stream before its limits of minutes.
    expect((await events).at(-1)).toMatchObject({ type: "model-error", code: "aborted" });
  });

  it("ends a model that ignores it", async () => {
    const deaf: AiSdkModel = {
      modelId: "deaf",
      provider: "none",
      doStream: () => new Promise(() => undefined),
    };
    const controller = new AbortController();
    const events = collect(fromAiSdk(deaf), emptyRequest, controller.signal);
    controller.abort();
    expect(await events).toEqual([
      { type: "model-error", code: "aborted", message: "Aborted.", retryable: false },
    ]);
  });
});

describe("the parts of a stream", () => {
  const finish = (
    unified: "stop" | "error" | "content-filter" | "tool-calls",
  ): LanguageModelV4StreamPart => ({
    type: "finish",
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    },
  });
  const call = (id: string, input: string): LanguageModelV4StreamPart => ({
    type: "tool-call",
    toolCallId: id,
    toolName: "ls",
    input,
  });

  function ofParts(
    parts: Iterable<LanguageModelV4StreamPart> | AsyncIterable<LanguageModelV4StreamPart>,
  ): AiSdkModel {
    return { modelId: "m", provider: "p", doStream: async () => ({ stream: ReadableStream.from(parts) }) };
  }

  /** Streams the parts and then neither sends more nor ends. */
  function leftOpen(
    parts: readonly LanguageModelV4StreamPart[],
    asked: () => void = () => undefined,
  ): AiSdkModel {
    return {
      modelId: "m",
      provider: "p",
      doStream: async () => {
        asked();
        return {
          stream: new ReadableStream({
            start(controller) {
              for (const part of parts) controller.enqueue(part);
            },
          }),
        };
      },
    };
  }

  const whole = [
    { type: "text-delta" as const, id: "1", delta: "done" },
    call("x", "{}"),
    finish("tool-calls"),
  ];

  async function* broken() {
    yield* whole;
    throw new Error("socket hang up");
  }

  it.each([
    ["stays open", leftOpen(whole)],
    ["breaks", ofParts(broken())],
    ["reports an error", ofParts([...whole, { type: "error", error: "overloaded" }])],
  ])("are the whole answer after the last one, even if the stream %s", async (_, model) => {
    expect((await collect(fromAiSdk(model, quick), request)).map(({ type }) => type)).toEqual([
      "text-delta",
      "tool-call-start",
      "tool-call-end",
      "model-end",
    ]);
  });

  it("are retried after a timeout only as often as the limit for slow tries", async () => {
    let asked = 0;
    const slow = leftOpen([], () => asked++);
    const limits = { firstTokenMs: 20 };
    const events = await collect(
      fromAiSdk(slow, { limits, retry: { tries: 4, slowTries: 2, firstWaitMs: 1 } }),
      request,
    );
    expect(events.at(-1)).toMatchObject({ type: "model-error", code: "timeout" });
    expect(asked).toBe(2);
  });

  it("may be of an unknown type", async () => {
    const parts = [{ type: "new-kind" } as unknown as LanguageModelV4StreamPart, finish("stop")];
    expect((await collect(fromAiSdk(ofParts(parts), quick), request)).at(-1)).toEqual(end);
  });

  const cases: readonly {
    title: string;
    parts: readonly LanguageModelV4StreamPart[];
    events: readonly object[];
  }[] = [
    {
      title: "calls without streamed input, without input, and with ids that come twice",
      parts: [call("x", ""), call("x", '{"path":"a"}'), finish("tool-calls")],
      events: [
        { type: "tool-call-start", index: 0, id: "x", name: "ls" },
        { type: "tool-call-start", index: 1, id: "call_2", name: "ls" },
        { type: "tool-call-end", index: 0, id: "x", name: "ls", arguments: "{}" },
        { type: "tool-call-end", index: 1, id: "call_2", name: "ls", arguments: '{"path":"a"}' },
        { type: "model-end", stopReason: "tool-calls" },
      ],
    },
    {
      title: "what the service runs itself is no call of ours",
      parts: [
        { type: "tool-input-start", id: "w", toolName: "web_search", providerExecuted: true },
        { type: "tool-input-delta", id: "w", delta: "{}" },
        { type: "tool-call", toolCallId: "w", toolName: "web_search", input: "{}", providerExecuted: true },
        { type: "tool-result", toolCallId: "w", toolName: "web_search", result: "found" },
        { type: "source", sourceType: "url", id: "s", url: "https://example.com" },
        { type: "ping" },
        finish("stop"),
      ],
      events: [end],
    },
    {
      title: "a filtered answer ends otherwise",
      parts: [finish("content-filter")],
      events: [{ type: "model-end", stopReason: "other", reason: "content-filter" }],
    },
    {
      title: "an answer that ends in an error has failed",
      parts: [{ type: "text-delta", id: "0", delta: "so" }, finish("error")],
      events: [
        { type: "text-delta", text: "so" },
        {
          type: "model-error",
          code: "server-error",
          message: "m (p) ended the answer with: error (error).",
          retryable: true,
        },
      ],
    },
    {
      title: "an answer without an end is not complete",
      parts: [{ type: "text-delta", id: "0", delta: "so" }, call("x", "{}")],
      events: [
        { type: "text-delta", text: "so" },
        { type: "tool-call-start", index: 0, id: "x", name: "ls" },
        {
          type: "model-error",
          code: "bad-response",
          message: "The stream of m (p) ended before the answer was complete. Incomplete calls, not run: ls.",
          retryable: true,
        },
      ],
    },
  ];
  it.each(cases)("$title", async ({ parts, events }) => {
    expect(await collect(fromAiSdk(ofParts(parts), quick), request)).toEqual(events);
  });
});
