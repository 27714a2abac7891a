/** Tests answers that reached a limit or outgrew the context window, and the questions to the server about it. */
import type { ModelEvent } from "@localharness/protocol";
import { describe, expect, it } from "vitest";
import type { Http } from "../src/http/http.ts";
import { createOllamaChat, createOpenaiChat, replayHttp, withTextToolCalls } from "../src/index.ts";
import { collect } from "./model-contract.ts";
import { lsTool } from "./test-request.ts";

/** Gives the answers one after the other; `asked` lists the requested addresses. */
function scripted(...bodies: readonly (string | object)[]): { http: Http; asked: string[] } {
  const asked: string[] = [];
  const exchanges = bodies.map((body) => ({
    url: "",
    status: 200,
    headers: {},
    parts: [typeof body === "string" ? body : JSON.stringify(body)],
  }));
  const http = replayHttp({ provider: "custom", baseUrl: "", model: "m", exchanges });
  return {
    asked,
    http: {
      send(request, signal) {
        asked.push(`${request.method} ${new URL(request.url).pathname}`);
        return http.send(request, signal);
      },
    },
  };
}

const request = { messages: [], tools: [lsTool] };
const end = (events: readonly ModelEvent[]) => events.at(-1);
const ollamaError = (window: number): object => ({
  type: "model-error",
  code: "context-overflow",
  message: `The answer filled the context window of ${window} tokens, and Ollama at http://a dropped the beginning of the conversation. The answer is unreliable; none of its calls was run. Start a new session, or run with a num_ctx above ${window}.`,
  retryable: false,
});
const full = (advice: string) => ({ type: "model-end", stopReason: "length", cut: { at: "window", advice } });
const limited = (advice: string) => ({
  type: "model-end",
  stopReason: "length",
  cut: { at: "output", advice },
});
const stop = { type: "model-end", stopReason: "stop" };
const largerNumCtx = (window: number) => `Start a new session, or run with a num_ctx above ${window}.`;

describe("Ollama", () => {
  const answer = (input: number, output: number, reason = "stop", more: object = {}) =>
    [
      { message: { content: "Yes." } },
      { done: true, done_reason: reason, prompt_eval_count: input, eval_count: output, ...more },
    ]
      .map((line) => JSON.stringify(line))
      .join("\n");
  const loaded = (window?: number) => ({
    models: [{ name: "m:latest", ...(window === undefined ? {} : { context_length: window }) }],
  });
  const asksPs = ["POST /api/chat", "GET /api/ps"];

  it.each<{ of: string; bodies: (string | object)[]; numPredict?: number; end: object; asked: string[] }>([
    { of: "a small answer", bodies: [answer(100, 50)], end: stop, asked: ["POST /api/chat"] },
    { of: "one within the window", bodies: [answer(9_000, 50), loaded(16_384)], end: stop, asked: asksPs },
    {
      of: "one that fills it to the last",
      bodies: [answer(16_000, 384), loaded(16_384)],
      end: stop,
      asked: asksPs,
    },
    {
      of: "one that left it",
      bodies: [answer(16_000, 385), loaded(16_384)],
      end: ollamaError(16_384),
      asked: asksPs,
    },
    {
      of: "one that left a window smaller than was asked for",
      bodies: [answer(8_000, 193), loaded(8_192)],
      end: ollamaError(8_192),
      asked: asksPs,
    },
    {
      of: "one that left it on a server that does not name it",
      bodies: [answer(16_000, 385), loaded()],
      end: ollamaError(16_384),
      asked: asksPs,
    },
    {
      of: "one beyond what was asked for, in a window that is larger",
      bodies: [answer(16_000, 500), loaded(40_960)],
      end: stop,
      asked: asksPs,
    },
    {
      of: "a prompt that is longer than any window known, and was taken",
      bodies: [answer(17_000, 500), loaded(16_384)],
      end: stop,
      asked: asksPs,
    },
    {
      of: "a model that runs elsewhere",
      bodies: [answer(16_000, 500, "stop", { remote_host: "https://b" })],
      end: stop,
      asked: ["POST /api/chat"],
    },
    {
      of: "an answer that ended where the window was full",
      bodies: [answer(16_000, 384, "length"), loaded(16_384)],
      end: full(largerNumCtx(16_384)),
      asked: asksPs,
    },
    {
      of: "an answer that met num_predict",
      bodies: [answer(100, 50, "length"), loaded(8_192)],
      numPredict: 50,
      end: limited("Raise num_predict to get it whole."),
      asked: asksPs,
    },
    {
      of: "an answer that met a limit of the model's own",
      bodies: [answer(100, 50, "length"), loaded(8_192)],
      end: limited("The model's own settings limit it: set num_predict to get it whole."),
      asked: asksPs,
    },
  ])("$of", async ({ bodies, numPredict, asked, ...row }) => {
    const script = scripted(...bodies);
    const base = { provider: "ollama", title: "Ollama", model: "m", http: script.http, origin: "http://a" };
    const most = numPredict === undefined ? {} : { numPredict };
    const model = withTextToolCalls(createOllamaChat({ ...base, numCtx: 16_384, ...most }));
    const events = await collect(model, request);
    expect(end(events)).toEqual(row.end);
    expect(script.asked).toEqual(asked);
  });

  it("asks for the window only once", async () => {
    const script = scripted(answer(9_000, 50), loaded(12_288), answer(9_100, 50));
    const base = { provider: "ollama", title: "Ollama", model: "m", http: script.http, origin: "http://a" };
    const model = createOllamaChat({ ...base, numCtx: 16_384 });
    await collect(model, request);
    const events = await collect(model, request);
    expect(events.find(({ type }) => type === "usage")).toMatchObject({ contextWindow: 12_288 });
    expect(script.asked).toEqual([...asksPs, "POST /api/chat"]);
  });
});

describe("OpenAI-compatible servers", () => {
  const answer = (input: number | undefined, output: number, reason = "length") =>
    [
      { choices: [{ index: 0, delta: { content: "Yes." }, finish_reason: null }] },
      { choices: [{ index: 0, delta: {}, finish_reason: reason }] },
      {
        choices: [],
        usage: { ...(input === undefined ? {} : { prompt_tokens: input }), completion_tokens: output },
      },
    ]
      .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
      .join("");
  const props = (slots?: number) => ({
    default_generation_settings: { n_ctx: 4_096 },
    ...(slots === undefined ? {} : { total_slots: slots }),
  });
  const listed = { data: [{ id: "m", max_model_len: 4_096 }] };
  const llama = "Start a new session, or start llama-server with a larger --ctx-size";
  const four = `${llama}; its 4 slots share it, and --parallel 1 gives all of it to one conversation. It holds 4096 tokens.`;
  const elsewhere = "Start a new session, or load the model with a larger context. It holds 4096 tokens.";
  const raise = "Raise num_predict to get it whole.";

  it.each<{
    of: string;
    bodies: (string | object)[];
    llamaServer?: boolean;
    maxTokens?: number;
    end: object;
    asked: string | undefined;
  }>([
    { of: "an answer that is whole", bodies: [answer(4_000, 96, "stop")], end: stop, asked: undefined },
    {
      of: "one that filled the only slot of llama-server",
      bodies: [answer(4_000, 96), props(1)],
      llamaServer: true,
      end: full(`${llama}. It holds 4096 tokens.`),
      asked: "GET /props",
    },
    {
      of: "one that filled one of four slots",
      bodies: [answer(4_000, 95), props(4)],
      llamaServer: true,
      end: full(four),
      asked: "GET /props",
    },
    {
      of: "one that met a limit of llama-server's own",
      bodies: [answer(100, 50), props()],
      llamaServer: true,
      end: limited(raise),
      asked: "GET /props",
    },
    {
      of: "one that met max_tokens",
      bodies: [answer(4_000, 96)],
      llamaServer: true,
      maxTokens: 96,
      end: limited(raise),
      asked: undefined,
    },
    {
      of: "one that filled the window of another server",
      bodies: [answer(4_000, 96), listed],
      end: full(elsewhere),
      asked: "GET /v1/models",
    },
    {
      of: "one of a server that does not name its window",
      bodies: [answer(4_000, 96), { data: [{ id: "m" }] }],
      end: { type: "model-end", stopReason: "length" },
      asked: "GET /v1/models",
    },
    {
      of: "one of a server that does not count",
      bodies: [answer(undefined, 96), props()],
      llamaServer: true,
      end: { type: "model-end", stopReason: "length" },
      asked: "GET /props",
    },
  ])("$of", async ({ bodies, llamaServer = false, maxTokens, asked, ...row }) => {
    const script = scripted(...bodies);
    const base = { provider: "custom", title: "Test", model: "m", http: script.http, llamaServer };
    const most = maxTokens === undefined ? {} : { maxTokens };
    const model = withTextToolCalls(createOpenaiChat({ ...base, baseUrl: "http://a/v1", ...most }));
    expect(end(await collect(model, request))).toEqual(row.end);
    expect(script.asked.slice(1)).toEqual(asked === undefined ? [] : [asked]);
  });

  it("says what to do if slots share the window", async () => {
    const said = { error: { code: 500, message: "Context size has been exceeded.", type: "server_error" } };
    const script = scripted(`data: ${JSON.stringify(said)}\n\n`, props(4));
    const base = { provider: "llamacpp", title: "Test", model: "m", http: script.http, llamaServer: true };
    const model = createOpenaiChat({ ...base, baseUrl: "http://a/v1" });
    expect(await collect(model, request)).toEqual([
      {
        type: "model-error",
        code: "context-overflow",
        message: `Test at http://a/v1 reported an error in the middle of its answer: Context size has been exceeded. The conversation no longer fits into the model's context. ${four}`,
        retryable: false,
        status: 500,
      },
    ]);
  });
});
