/**
 * A model server with a small context window: it counts tokens and enforces the window. It speaks the API of OpenAI with the
 * refusal of llama.cpp, and the API of Ollama.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@localharness/protocol";

export interface WindowServer {
  /** The address, without a path. */
  readonly origin: string;
  /** The prompts that were answered, the oldest first. */
  readonly prompts: readonly SeenPrompt[];
  /** The requests beside the conversation that `answerBeside` took, also those that it refused or left unanswered. */
  readonly beside: readonly SeenPrompt[];
  /** The number of requests that were refused because they did not fit into the window. */
  refused(): number;
  close(): Promise<void>;
}

export interface SeenPrompt {
  /** The body of the request. */
  readonly body: string;
  readonly tokens: number;
  /** True if the prompt did not fit into the window, and the server dropped its beginning without telling. */
  readonly cut: boolean;
}

/** One answer of the model: calls of tools, or a text. */
export type ScriptedAnswer = { readonly calls: readonly ScriptedCall[] } | { readonly text: string };

export interface ScriptedCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

export interface WindowServerOptions {
  /** The size of the window in tokens. */
  readonly window: number;
  /** The window that the server claims to have; by default the real one. */
  readonly claims?: number;
  /** True if streamed answers of the conversation have no token counts. */
  readonly countsNothing?: boolean;
  /** Returns the number of tokens of a request's body. */
  count(body: string): number;
  /** What happens to a prompt that does not fit. Ollama cuts it and counts only what is left. */
  readonly tooLong: "refuse" | "cut";
  /** Returns the answer to the n-th prompt that was answered; `body` is its request. */
  answerOf(index: number, body: string): ScriptedAnswer;
  /**
   * Returns the text that answers a request beside the conversation, false to refuse the request, or `noAnswer` to leave it
   * unanswered; undefined for a prompt of the conversation.
   */
  answerBeside?(body: string): BesideAnswer | undefined;
}

export const noAnswer = Symbol("no answer");
export type BesideAnswer = string | false | typeof noAnswer;

export async function startWindowServer(options: WindowServerOptions): Promise<WindowServer> {
  const { window, count, tooLong, answerOf, claims = window } = options;
  const prompts: SeenPrompt[] = [];
  const beside: SeenPrompt[] = [];
  let refused = 0;
  function reply(response: ServerResponse, wire: Wire, body: string): void {
    const tokens = count(body);
    const isTooLong = tokens > window;
    if (isTooLong && tooLong === "refuse") {
      refused += 1;
      sendJson(response, 400, wire.tooLong(tokens, window));
      return;
    }
    const text = options.answerBeside?.(body);
    if (text !== undefined) {
      beside.push({ body, tokens, cut: isTooLong });
      if (text === noAnswer) return;
      if (text === false) {
        sendJson(response, 400, { error: { message: "refused" } });
        return;
      }
      wire.answer(response, { text }, Math.min(tokens, window), body);
      return;
    }
    prompts.push({ body, tokens, cut: isTooLong });
    const counted = options.countsNothing === true ? undefined : Math.min(tokens, window);
    wire.answer(response, answerOf(prompts.length - 1, body), counted, body);
  }
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      if (request.method === "GET") return sendJson(response, 200, lists(request.url ?? "", claims));
      if (request.url === "/api/show") return sendJson(response, 200, shown);
      reply(response, request.url === "/api/chat" ? ollama : openai, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    prompts,
    beside,
    refused: () => refused,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

interface Wire {
  /** Returns the body of a refusal. */
  tooLong(tokens: number, window: number): object;
  /** Sends the answer. Without `tokens` it counts nothing. */
  answer(response: ServerResponse, answer: ScriptedAnswer, tokens: number | undefined, body: string): void;
}

function lists(url: string, window: number): object {
  const model = { id: "small", object: "model", max_model_len: window };
  const loaded = { name: "small", model: "small", context_length: window };
  return url.startsWith("/api/") ? { models: [loaded] } : { object: "list", data: [model] };
}

const shown = { capabilities: ["completion", "tools"] };

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const openai: Wire = {
  tooLong: (tokens, window) => ({
    error: {
      code: 400,
      message: `the request exceeds the available context size (${tokens} > ${window})`,
      type: "exceed_context_size_error",
    },
  }),
  answer(response, answer, tokens, body) {
    if (JSON.parse(body).stream !== true) return sendJson(response, 200, completionOf(answer, tokens));
    response.writeHead(200, { "content-type": "text/event-stream" });
    const called = "calls" in answer;
    const delta = called ? { tool_calls: answer.calls.map(openaiCall) } : { content: answer.text };
    const counts = tokens === undefined ? [] : [usageOf(tokens)];
    const chunks = [
      { choices: [{ index: 0, delta, finish_reason: null }] },
      { choices: [{ index: 0, delta: {}, finish_reason: called ? "tool_calls" : "stop" }] },
      ...counts,
    ];
    for (const chunk of chunks)
      response.write(`data: ${JSON.stringify({ object: "chat.completion.chunk", ...chunk })}\n\n`);
    response.end("data: [DONE]\n\n");
  },
};

/** Returns the answer to a request that does not stream. */
function completionOf(answer: ScriptedAnswer, tokens = 0): object {
  const called = "calls" in answer;
  const message = called
    ? { role: "assistant", content: null, tool_calls: answer.calls.map(openaiCall) }
    : { role: "assistant", content: answer.text };
  const choice = { index: 0, message, finish_reason: called ? "tool_calls" : "stop" };
  return { object: "chat.completion", model: "small", ...usageOf(tokens), choices: [choice] };
}

function usageOf(tokens: number): object {
  return {
    choices: [],
    usage: { prompt_tokens: tokens, completion_tokens: 20, total_tokens: tokens + 20 },
  };
}

let lastCall = 0;

function openaiCall({ name, arguments: args }: ScriptedCall, index: number) {
  lastCall += 1;
  return {
    index,
    id: `call_${lastCall}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  };
}

const ollama: Wire = {
  tooLong: () => ({ error: "the input length exceeds the context length" }),
  answer(response, answer, tokens) {
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    const called = "calls" in answer;
    const calls = called ? answer.calls.map((call) => ({ function: call })) : [];
    const content = called ? "" : answer.text;
    const counted = tokens === undefined ? {} : { prompt_eval_count: tokens, eval_count: 20 };
    const counts = { done: true, done_reason: "stop", ...counted };
    const lines = [
      { message: { role: "assistant", content, tool_calls: calls }, done: false },
      { message: { role: "assistant", content: "" }, ...counts },
    ];
    for (const line of lines) response.write(`${JSON.stringify({ model: "small", ...line })}\n`);
    response.end();
  },
};
