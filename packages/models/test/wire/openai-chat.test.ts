import type { ModelEvent } from "@localharness/protocol";
import { expect, it } from "vitest";
import { createOpenaiChat } from "../../src/index.ts";
import { type Fault, startFakeServer } from "../fake-server/index.ts";
import { collect, modelContract, type RecordedCase } from "../model-contract.ts";
import { conversation, createTestHttp, lsTool, user } from "../test-request.ts";

const who = "Test at http://model.test/v1";
const stop: ModelEvent = { type: "model-end", stopReason: "stop" };
const stopAfter = (field: string): ModelEvent => ({
  ...stop,
  origin: { madeBy: "http://model.test/v1 m", thoughtIn: [field] },
});
const toolCalls: ModelEvent = { type: "model-end", stopReason: "tool-calls" };
const text = (value: string): ModelEvent => ({ type: "text-delta", text: value });
const reasoning = (value: string): ModelEvent => ({ type: "reasoning-delta", text: value });
const started = (index: number, id: string, name: string, args: string): ModelEvent[] => [
  { type: "tool-call-start", index, id, name },
  ...(args === "" ? [] : [{ type: "tool-call-delta" as const, index, argumentsText: args }]),
];
const ended = (
  index: number,
  id: string,
  name: string,
  args: string | { [key: string]: string },
): ModelEvent => ({
  type: "tool-call-end",
  index,
  id,
  name,
  arguments: args,
});
const failed = (message: string, retryable: boolean, code = "bad-response", status?: number): ModelEvent => ({
  type: "model-error",
  code: code as "bad-response",
  message,
  retryable,
  ...(status === undefined ? {} : { status }),
});

const cases: readonly RecordedCase[] = [
  {
    file: "openai/text.sse.txt",
    title: "reads text and token counts",
    events: [
      text("Grüße, 世界 🌍"),
      { type: "usage", inputTokens: 21, outputTokens: 4, cachedTokens: 16 },
      stop,
    ],
  },
  {
    file: "openai/two-calls.sse.txt",
    title: "puts two calls together",
    events: [
      ...started(0, "call_a", "read_file", '{"path":"a.txt"}'),
      ...started(1, "call_b", "ls", "{}"),
      ended(0, "call_a", "read_file", '{"path":"a.txt"}'),
      ended(1, "call_b", "ls", "{}"),
      toolCalls,
    ],
  },
  {
    file: "openai/late-name.sse.txt",
    title: "waits for a name that comes last",
    events: [
      ...started(0, "call_late", "read_file", '{"path":"a.txt"}'),
      ended(0, "call_late", "read_file", '{"path":"a.txt"}'),
      toolCalls,
    ],
  },
  {
    file: "openai/sparse-index.sse.txt",
    title: "takes any indexes, also interleaved",
    events: [
      ...started(0, "call_x", "ls", '{"path":'),
      ...started(1, "call_y", "ls", '{"path":"b"}'),
      { type: "tool-call-delta", index: 0, argumentsText: '"a"}' },
      ended(0, "call_x", "ls", '{"path":"a"}'),
      ended(1, "call_y", "ls", '{"path":"b"}'),
      toolCalls,
    ],
  },
  {
    file: "openai/same-index.sse.txt",
    title: "tells calls apart that all have index 0, whatever the finish reason",
    events: [
      ...started(0, "call_1", "ls", '{"path":"a"}'),
      ...started(1, "call_2", "ls", '{"path":"b"}'),
      ended(0, "call_1", "ls", '{"path":"a"}'),
      ended(1, "call_2", "ls", '{"path":"b"}'),
      toolCalls,
    ],
  },
  {
    file: "openai/objects-without-index-or-id.sse.txt",
    title: "takes object arguments and makes up ids",
    events: [
      ...started(0, "call_1", "ls", '{"path":"a"}'),
      ...started(1, "call_2", "ls", '{"path":"b"}'),
      ended(0, "call_1", "ls", { path: "a" }),
      ended(1, "call_2", "ls", { path: "b" }),
      toolCalls,
    ],
  },
  {
    file: "openai/repeated-id.sse.txt",
    title: "makes repeated ids unique",
    events: [
      ...started(0, "same", "ls", "{}"),
      ...started(1, "call_2", "ls", '{"path":"b"}'),
      ended(0, "same", "ls", "{}"),
      ended(1, "call_2", "ls", '{"path":"b"}'),
      toolCalls,
    ],
  },
  {
    file: "openai/reasoning-content.sse.txt",
    title: "keeps reasoning_content apart, and llama.cpp's cache count",
    events: [
      reasoning("Let me see."),
      text("Yes."),
      { type: "usage", cachedTokens: 236 },
      stopAfter("reasoning_content"),
    ],
  },
  {
    file: "openai/llama-progress.sse.txt",
    title: "reads how far llama.cpp has read the prompt, and its cache count before any other",
    events: [
      { type: "prompt-progress", totalTokens: 12_000, cachedTokens: 800, doneTokens: 800 },
      { type: "prompt-progress", totalTokens: 12_000, cachedTokens: 800, doneTokens: 2_848 },
      { type: "prompt-progress", totalTokens: 12_000, cachedTokens: 800, doneTokens: 12_000 },
      text("Yes."),
      { type: "usage", inputTokens: 12_000, outputTokens: 2, cachedTokens: 800 },
      stop,
    ],
  },
  {
    file: "openai/llama-older.sse.txt",
    title: "takes what an older llama.cpp did not read as cached",
    events: [text("Yes."), { type: "usage", inputTokens: 237, outputTokens: 2, cachedTokens: 230 }, stop],
  },
  {
    file: "openai/odd-progress.sse.txt",
    title: "passes over progress and counts that cannot be",
    events: [
      { type: "prompt-progress", totalTokens: 9, cachedTokens: 9, doneTokens: 9 },
      text("Yes."),
      { type: "usage", inputTokens: 5 },
      stop,
    ],
  },
  {
    file: "openai/reasoning-with-comments.sse.txt",
    title: "reads reasoning between keep-alive comments, without a last empty line",
    events: [reasoning("Hm."), text("No."), stopAfter("reasoning")],
  },
  {
    file: "openai/content-in-parts.sse.txt",
    title: "reads content given as parts",
    events: [reasoning("First."), text("Then."), stopAfter("content")],
  },
  { file: "openai/without-done.sse.txt", title: "does not need [DONE]", events: [text("All said."), stop] },
  {
    file: "openai/without-finish.sse.txt",
    title: "does not need a finish reason, and tells that none came",
    events: [text("All said."), { ...stop, reason: "" }],
  },
  { file: "openai/crlf.sse.txt", title: "takes CRLF and no space after data:", events: [text("okay"), stop] },
  {
    file: "openai/other-shapes.sse.txt",
    title: "passes over JSON of other shapes",
    events: [text("fine"), stop],
  },
  {
    file: "openai/no-empty-lines.sse.txt",
    title: "takes events without empty lines between them",
    events: [text("one two"), stop],
  },
  {
    file: "openai/old-function-call.sse.txt",
    title: "reads the older function_call",
    events: [
      ...started(0, "call_1", "ls", '{"path":"."}'),
      ended(0, "call_1", "ls", '{"path":"."}'),
      toolCalls,
    ],
  },
  {
    file: "openai/error-line.sse.txt",
    title: "ends with an error that comes as a data line",
    events: [
      text("Begin"),
      failed(
        `${who} reported an error in the middle of its answer: slot unavailable.`,
        true,
        "server-error",
        503,
      ),
    ],
  },
  {
    file: "openai/garbage.sse.txt",
    title: "ends with an error at a line that is not JSON",
    events: [text("Begin"), failed(`${who} sent a line that is not JSON: {not json}.`, true)],
  },
  {
    file: "openai/broken-in-call.sse.txt",
    title: "never ends a call of a stream that breaks off, and names it",
    events: [
      ...started(0, "call_1", "write_file", '{"path":"a.txt","content":"half'),
      failed(`${who} ended its answer in the middle. Incomplete calls, not run: write_file.`, true),
    ],
  },
  {
    file: "openai/cut-in-call.sse.txt",
    title: "reports a call cut by the length limit, beside a whole one",
    events: [
      ...started(0, "call_1", "ls", '{"path":"a"}'),
      ...started(1, "call_2", "write_file", '{"path":"a.txt","content":"half'),
      ended(0, "call_1", "ls", '{"path":"a"}'),
      {
        type: "tool-call-error",
        index: 1,
        raw: '{"path":"a.txt","content":"half',
        reason: "incomplete",
        message:
          "The answer reached its length limit inside the arguments of write_file; nothing was run. Do it in smaller steps.",
        name: "write_file",
      },
      { type: "model-end", stopReason: "length" },
    ],
  },
  {
    file: "openai/plain-body.json.txt",
    title: "reads one JSON body of a server that does not stream",
    events: [
      text("Two calls."),
      ...started(0, "same", "ls", "{}"),
      ...started(1, "call_2", "ls", '{"path":"b"}'),
      ended(0, "same", "ls", "{}"),
      ended(1, "call_2", "ls", { path: "b" }),
      { type: "usage", inputTokens: 5, outputTokens: 6 },
      toolCalls,
    ],
  },
  {
    file: "openai/page.html.txt",
    title: "says that a web page came",
    events: [
      failed(
        `${who} answered with a web page instead of JSON: the address is wrong, or a proxy or login page answered.`,
        false,
      ),
    ],
  },
];

modelContract(
  "openai-chat",
  (http) =>
    createOpenaiChat({
      provider: "custom",
      title: "Test",
      model: "m",
      http,
      baseUrl: "http://model.test/v1",
      retry: { tries: 1 },
    }),
  cases,
);

it("sends messages, tools and tool_choice, and the same text for the same messages", async () => {
  await using server = await startFakeServer({ turns: [{ text: "hi" }, { text: "again" }] });
  const http = createTestHttp();
  const model = createOpenaiChat({
    provider: "custom",
    title: "Test",
    model: "fake-model",
    http,
    baseUrl: `${server.baseUrl}/`,
    key: "secret-key",
    maxTokens: 99,
  });
  await collect(model, { messages: conversation, tools: [lsTool] });
  const [chat] = server.chats;
  expect(chat?.headers["authorization"]).toBe("Bearer secret-key");
  expect(chat?.body).toEqual({
    model: "fake-model",
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 99,
    tool_choice: "auto",
    tools: [{ type: "function", function: lsTool }],
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "List." },
      {
        role: "assistant",
        content: "",
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "ls", arguments: '{"path":"."}' } },
          { id: "call_2", type: "function", function: { name: "ls", arguments: '{"unreadable":"{broken"}' } },
        ],
      },
      { role: "tool", tool_call_id: "call_1", name: "ls", content: "a.txt" },
      { role: "tool", tool_call_id: "call_2", name: "ls", content: "no" },
    ],
  });
});

it("drops the empty answer that a cut inside the reasoning leaves, which some servers refuse", async () => {
  await using server = await startFakeServer({ turns: [{ text: "hi" }, { text: "again" }] });
  for (const sendsReasoning of [false, true]) {
    const model = createOpenaiChat({
      provider: "custom",
      title: "Test",
      model: "fake-model",
      http: createTestHttp(),
      baseUrl: server.baseUrl,
      sendsReasoning,
    });
    const cut = { role: "assistant" as const, content: "", reasoning: "hm", toolCalls: [] };
    await collect(model, { messages: [user("Go."), cut, user("Go on.")], tools: [] });
    expect(server.chats.at(-1)?.body?.["messages"]).toEqual([
      { role: "user", content: "Go." },
      { role: "user", content: "Go on." },
    ]);
  }
});

const refusals = [
  {
    words: "Unrecognized request argument supplied: stream_options",
    gone: "stream_options",
    there: "max_tokens",
  },
  {
    words:
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    gone: "max_tokens",
    there: "max_completion_tokens",
  },
  { words: "Unsupported value: 'temperature' does not support 0", gone: "temperature", there: "max_tokens" },
  { words: "Unknown field: return_progress", gone: "return_progress", there: "parallel_tool_calls" },
  { words: "parallel_tool_calls is not supported", gone: "parallel_tool_calls", there: "return_progress" },
];
it.each(refusals)(
  "asks again without $gone where a server refuses it, and remembers",
  async ({ words, gone, there }) => {
    const fault: Fault = { kind: "status", status: 400, body: { error: { message: words } } };
    await using server = await startFakeServer({ turns: [{ text: "hi", faults: [fault] }] });
    const model = createOpenaiChat({
      provider: "custom",
      title: "Test",
      model: "fake-model",
      http: createTestHttp(),
      baseUrl: server.baseUrl,
      maxTokens: 9,
      sampling: { temperature: 0 },
      llamaServer: true,
    });
    const types = async () =>
      (await collect(model, { messages: [], tools: [lsTool] }))
        .map((event) => event.type)
        .filter((type) => type !== "usage");
    expect(await types()).toEqual(["model-retry", "text-delta", "model-end"]);
    expect(await types()).toEqual(["text-delta", "model-end"]);
    const bodies = server.chats.map((chat) => chat.body ?? {});
    expect(bodies.map((body) => gone in body)).toEqual([true, false, false]);
    expect(bodies.slice(1).every((body) => there in body)).toBe(true);
  },
);

it("asks only llama-server for prompt progress and, with tools, for parallel calls", async () => {
  await using server = await startFakeServer({ turns: [{ text: "hi" }] });
  const asked = [];
  for (const llamaServer of [true, false])
    for (const tools of [[lsTool], []]) {
      const base = { provider: "llamacpp", title: "Test", model: "fake-model", http: createTestHttp() };
      const model = createOpenaiChat({ ...base, baseUrl: server.baseUrl, llamaServer });
      await collect(model, { messages: [], tools });
      const { return_progress, parallel_tool_calls } = server.chats.at(-1)?.body ?? {};
      asked.push([return_progress, parallel_tool_calls]);
    }
  expect(asked).toEqual([
    [true, true],
    [true, undefined],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});
