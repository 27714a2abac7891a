/** Tests malformed answers, whole and one character at a time: nothing is thrown, lost or invented. */
import type { Model } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import { describe, expect, it } from "vitest";
import { createCallIds } from "../src/answer/call-ids.ts";
import { createOllamaChat, createOpenaiChat, type Http, replayHttp } from "../src/index.ts";
import { listLoadedModels, showOllamaModel } from "../src/wire/ollama/models.ts";
import { listOpenaiModels } from "../src/wire/openai/models.ts";
import { OpenaiReader } from "../src/wire/openai/reader.ts";
import { startFakeServer } from "./fake-server/index.ts";
import { collect, emptyRequest } from "./model-contract.ts";
import { createTestHttp } from "./test-request.ts";

const retry = { tries: 1 };
const adapters: Record<"openai" | "ollama", (http: Http) => Model> = {
  openai: (http) =>
    createOpenaiChat({ provider: "custom", title: "Test", model: "m", http, baseUrl: "http://a/v1", retry }),
  ollama: (http) =>
    createOllamaChat({ provider: "ollama", title: "Ollama", model: "m", http, origin: "http://a", retry }),
};

async function read(wire: keyof typeof adapters, parts: readonly string[]): Promise<ModelEvent[]> {
  const exchange = { url: "", status: 200, headers: {}, parts };
  const http = replayHttp({ provider: "custom", baseUrl: "", model: "m", exchanges: [exchange] });
  return (await collect(adapters[wire](http), emptyRequest)).filter(
    (event) => event.type !== "tool-call-delta",
  );
}

const lines = (...values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join("\n");
const sse = (...values: readonly unknown[]) =>
  `${values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join("")}data: [DONE]\n\n`;
const finish = { choices: [{ delta: {}, finish_reason: "stop" }] };
const done = { message: { content: "" }, done: true, done_reason: "stop" };
const ollamaCall = (call: unknown) => lines({ message: { tool_calls: [call] } }, done);
const text = (value: string) => ({ type: "text-delta", text: value });
const reasoning = (value: string) => ({ type: "reasoning-delta", text: value });
const end = (stopReason = "stop") => ({ type: "model-end", stopReason });
const start = { type: "tool-call-start", index: 0, name: "ls" };
const call = (args: unknown) => ({ type: "tool-call-end", index: 0, name: "ls", arguments: args });
const usage = { type: "usage" };
const failure = (message: RegExp, retryable = false) => ({
  type: "model-error",
  code: "bad-response",
  message: expect.stringMatching(message),
  retryable,
});

const openaiCases: readonly (readonly [title: string, body: string, events: readonly object[]])[] = [
  [
    "a JSON value a line",
    lines(
      { choices: [{ delta: { content: "Hello " } }] },
      { choices: [{ delta: { tool_calls: [{ index: 0, function: { name: "ls", arguments: "{}" } }] } }] },
      { choices: [{ delta: {}, finish_reason: "tool_calls" }] },
    ),
    [text("Hello "), start, call("{}"), end("tool-calls")],
  ],
  [
    "a JSON value a line and [DONE]",
    `${lines({ choices: [{ delta: { content: "a" } }] }, { choices: [{ delta: { content: "b" } }] })}\n[DONE]\n`,
    [text("ab"), end()],
  ],
  [
    "a JSON value a line, cut between two",
    lines({ choices: [{ delta: { content: "a" } }] }, { choices: [{ delta: { content: "b" } }] }),
    [text("ab"), failure(/ended its answer in the middle/, true)],
  ],
  ["a body without choices", '{"detail":"Not Found"}', [failure(/holds no choices: Not Found\.$/)]],
  ["a body with another server's answer", '{"done":true}', [failure(/holds no choices: \{"done":true\}\.$/)]],
  [
    "a body behind a byte order mark",
    '\ufeff{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}',
    [text("x"), end()],
  ],
  [
    "a very long error in the stream",
    sse({ error: { message: "e".repeat(5_000) } }),
    [{ type: "model-error", message: expect.stringMatching(/^.{1000,1100}$/) }],
  ],
  [
    "counts that are none",
    `data: ${JSON.stringify(finish).slice(0, -1)},"usage":{"prompt_tokens":1e999,"completion_tokens":-1,"prompt_tokens_details":{"cached_tokens":3}}}\n\n`,
    [{ type: "usage", cachedTokens: 3 }, end()],
  ],
];

const called = (finish_reason?: string) => ({
  choices: [
    { delta: { tool_calls: [{ index: 0, function: { name: "ls", arguments: "" } }] }, finish_reason },
  ],
});
const cutOff = { type: "tool-call-error", index: 0, reason: "incomplete", name: "ls" };
const said = { choices: [{ delta: { content: "a" } }] };
const thought = { choices: [{ delta: { reasoning_content: "r" } }] };

const openaiEnds: typeof openaiCases = [
  ["nothing that comes after [DONE]", sse(said, finish) + sse(called()), [text("a"), end()]],
  ["no error that comes after [DONE]", `${sse(said, finish)}data: {bad\n\n`, [text("a"), end()]],
  ["[DONE] without empty lines", `data: ${JSON.stringify(said)}\ndata: [DONE]\n`, [text("a"), end()]],
  [
    "keep-alives without data",
    `data:\n\n${sse(said)}`.replace("data: [", "data: \n\ndata: ["),
    [text("a"), end()],
  ],
  ["a call that a filter cut off", sse(called("content_filter")), [start, cutOff, end("other")]],
  [
    "a call that was cut off, from a server that then says that all is well",
    sse(called("length"), finish),
    [start, cutOff, end("length")],
  ],
  ["the tokens that were not left for a call", sse(called("max_tokens")), [start, cutOff, end("length")]],
  ["a call without arguments at an end without a reason", sse(called()), [start, cutOff, end()]],
  [
    "one answer of several",
    sse(
      {
        choices: [
          { index: 0, delta: { content: "a" } },
          { index: 1, delta: { content: "b" } },
        ],
      },
      { choices: [{ ...called().choices[0], index: 1 }] },
      finish,
    ),
    [text("a"), end()],
  ],
  [
    "a message at the end that says all of it again",
    sse(
      said,
      {
        choices: [
          { delta: { tool_calls: [{ index: 0, id: "x", function: { name: "ls", arguments: "{}" } }] } },
        ],
      },
      {
        choices: [
          {
            message: { content: "a", tool_calls: [{ id: "y", function: { name: "ls", arguments: "{}" } }] },
            finish_reason: "tool_calls",
          },
        ],
      },
    ),
    [text("a"), start, call("{}"), end("tool-calls")],
  ],
  [
    "a call at the end that did not come before",
    sse(said, {
      choices: [
        {
          message: { content: "a", tool_calls: [{ function: { name: "ls", arguments: "{}" } }] },
          finish_reason: "tool_calls",
        },
      ],
    }),
    [text("a"), start, call("{}"), end("tool-calls")],
  ],
  [
    "a message at the end after reasoning, whose text did not come before",
    sse(thought, {
      choices: [{ message: { reasoning_content: "r", content: "a" }, finish_reason: "stop" }],
    }),
    [reasoning("r"), text("a"), end()],
  ],
  [
    "a message at the end after text, without its reasoning, which would come too late",
    sse(said, {
      choices: [{ message: { reasoning_content: "r", content: "a" }, finish_reason: "stop" }],
    }),
    [text("a"), end()],
  ],
  [
    "a message with reasoning and text",
    sse({ choices: [{ message: { reasoning_content: "r", content: "a" }, finish_reason: "stop" }] }),
    [reasoning("r"), text("a"), end()],
  ],
  [
    "a call that is in no list",
    sse({ choices: [{ delta: { tool_calls: { function: { name: "ls", arguments: "{}" } } } }] }, finish),
    [start, call("{}"), end("tool-calls")],
  ],
  [
    "a call of the old kind beside an empty list",
    sse({ choices: [{ delta: { tool_calls: [], function_call: { name: "ls", arguments: "{}" } } }] }, finish),
    [start, call("{}"), end("tool-calls")],
  ],
  [
    "a refusal",
    sse({ choices: [{ delta: { content: null, refusal: "No." } }] }, finish),
    [text("No."), end()],
  ],
  [
    "an error field with nothing in it",
    sse({ error: "", ...said }, { error: false, ...finish }),
    [text("a"), end()],
  ],
];

const ollamaCases: typeof openaiCases = [
  [
    "calls that the last line says again",
    lines(
      { message: { tool_calls: [{ id: "x", function: { name: "ls", arguments: {} } }] } },
      { message: { tool_calls: [{ id: "x", function: { name: "ls", arguments: {} } }] }, done: true },
    ),
    [start, call({}), usage, end("tool-calls")],
  ],
  [
    "calls that are alike and have no id, as two",
    lines({ message: { tool_calls: [0, 1].map(() => ({ function: { name: "ls", arguments: {} } })) } }, done),
    [start, { ...start, index: 1 }, call({}), { ...call({}), index: 1 }, usage, end("tool-calls")],
  ],
  [
    "a call whose arguments were cut off",
    lines(
      { message: { tool_calls: [{ function: { name: "ls", arguments: "" } }] } },
      { ...done, done_reason: "length" },
    ),
    [start, cutOff, usage, end("length")],
  ],
  [
    "many empty pieces and then the end of the connection",
    lines({ message: { content: "a" } }, ...Array.from({ length: 40 }, () => ({ message: { content: "" } }))),
    [text("a"), failure(/the line with "done" never came/, true)],
  ],
  [
    "an answer behind a byte order mark",
    `\ufeff${lines({ message: { content: "a" } }, done)}`,
    [text("a"), usage, end()],
  ],
  [
    "a call that is in no list",
    lines({ error: "", message: { tool_calls: { function: { name: "ls", arguments: {} } } } }, done),
    [start, call({}), usage, end("tool-calls")],
  ],
  [
    "a flat call",
    ollamaCall({ name: "ls", arguments: { path: "a" } }),
    [start, call({ path: "a" }), usage, end("tool-calls")],
  ],
  [
    "a call without a name",
    ollamaCall({ function: { arguments: { path: "a" } } }),
    [{ type: "tool-call-error", index: 0, raw: '{"path":"a"}', reason: "unreadable" }, usage, end()],
  ],
  ["a call that is nothing", ollamaCall({ function: {} }), [usage, end()]],
  [
    "a list as arguments",
    ollamaCall({ function: { name: "ls", arguments: ["a"] } }),
    [start, call('["a"]'), usage, end("tool-calls")],
  ],
  [
    "a very long error",
    lines({ error: "e".repeat(5_000) }),
    [{ type: "model-error", message: expect.stringMatching(/^.{1000,1100}$/) }],
  ],
];

describe.each([
  ["openai", [...openaiCases, ...openaiEnds]],
  ["ollama", ollamaCases],
] as const)("over the %s wire", (wire, cases) => {
  it.each(cases)("reads %s", async (_title, body, events) => {
    for (const parts of [[body], [...body]]) {
      const found = await read(wire, parts);
      expect(found).toMatchObject(events);
      expect(found.length).toBe(events.length);
    }
  });
});

it("ignores invalid counts of Ollama", async () => {
  const body = '{"done":true,"prompt_eval_count":-5,"eval_count":1e999}';
  expect((await read("ollama", [body]))[0]).not.toHaveProperty("inputTokens");
  expect((await read("ollama", [body]))[0]).not.toHaveProperty("outputTokens");
});

it.each([-4096, 2048.5, 1e21])(
  "takes no context of %d tokens from a list of models",
  async (contextLength) => {
    const models = [{ name: "m", contextLength, runningContext: contextLength }];
    await using server = await startFakeServer({ turns: [], models });
    const http = createTestHttp();
    expect(await showOllamaModel(http, server.origin, undefined, "m", 2_000)).not.toHaveProperty(
      "contextLength",
    );
    const [loaded] = [await listLoadedModels(http, server.origin, undefined, 2_000)].flat();
    expect(loaded).not.toHaveProperty("contextWindow");
    const [listed] = [await listOpenaiModels(http, server.baseUrl, undefined, 2_000)].flat();
    expect(listed).toMatchObject({ name: "m" });
    expect(listed).not.toHaveProperty("contextWindow");
  },
);

it.each<[row: object, canSee: boolean | undefined]>([
  [{ input_modalities: ["text", "image"] }, true],
  [{ input_modalities: ["text"] }, false],
  [{ architecture: { input_modalities: ["image", "text", "audio"] } }, true],
  [{ architecture: { input_modalities: ["text"] } }, false],
  [{ architecture: "llama" }, undefined],
  [{ architecture: { input_modalities: "image" } }, undefined],
  [{ input_modalities: null }, undefined],
  [{ type: "vlm", input_modalities: ["text"] }, true],
  [{}, undefined],
])("%j in a list of models: sees images: %s", async (row, canSee) => {
  const exchange = {
    url: "",
    status: 200,
    headers: {},
    parts: [JSON.stringify({ data: [{ id: "m", ...row }] })],
  };
  const http = replayHttp({ provider: "custom", baseUrl: "", model: "m", exchanges: [exchange] });
  const [listed] = [await listOpenaiModels(http, "http://a/v1", undefined, 2_000)].flat();
  expect(listed).toEqual({ name: "m", chats: true, ...(canSee === undefined ? {} : { canSee }) });
});

describe("JSON that is nested too deep", () => {
  const deep = (open: string, close: string) => `${open.repeat(100_000)}1${close.repeat(100_000)}`;
  const list = deep("[", "]");
  const object = deep('{"a":', "}");
  it.each([
    ["openai", `data: {"error":${list}}\n\n`],
    [
      "openai",
      `data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"ls","arguments":${object}}}]}}]}\n\n`,
    ],
    ["openai", `{"choices":[{"message":{"tool_calls":[{"function":{"name":"ls","arguments":${object}}}]}}]}`],
    ["ollama", `{"error":${object}}\n`],
    ["ollama", `{"message":{"tool_calls":[{"function":{"name":"ls","arguments":${object}}}]}}\n`],
  ] as const)("is a failure over the %s wire, never thrown", async (wire, body) => {
    expect(await read(wire, [body])).toEqual([failure(/nested more than 1000 levels/)]);
  });
});

it("a failure is the last event of a reader", () => {
  const reader = new OpenaiReader("Test", createCallIds([]));
  const said = reader.push(lines({ error: "gone" }, { choices: [{ delta: { content: "more" } }] }));
  expect([...said, ...reader.end()].map(({ type }) => type)).toEqual(["model-error"]);
});

it("data after the end of the answer is not parsed", async () => {
  const endless = "x".repeat(17 * 1024 * 1024);
  expect(await read("openai", [sse(said, finish), endless])).toMatchObject([text("a"), end()]);
});
