/**
 * A model server with a small context window: it counts tokens, and refuses prompts that do not fit. It speaks the API of
 * OpenAI with the refusal of llama.cpp, and the API of Ollama.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface WindowServer {
  /** The address, without a path. */
  readonly origin: string;
  /** The bodies of the requests that fitted into the window, as text, the oldest first. */
  readonly prompts: readonly string[];
  close(): Promise<void>;
}

/** Returns the model's answer to the n-th prompt that fits: a call of `read_file` for a path, or text. */
export type AnswerOf = (index: number) => { readonly path: string } | { readonly text: string };

/** Starts a server whose window has `window` tokens of 4 characters each. */
export async function startWindowServer(window: number, answerOf: AnswerOf): Promise<WindowServer> {
  const prompts: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      const wire = request.url === "/api/chat" ? ollama : openai;
      if (request.method === "GET") return sendJson(response, 200, lists(request.url ?? "", window));
      if (request.url === "/api/show") return sendJson(response, 200, shown);
      const tokens = Math.ceil(body.length / 4);
      if (tokens > window) return sendJson(response, 400, wire.tooLong(tokens, window));
      prompts.push(body);
      return wire.answer(response, answerOf(prompts.length - 1), tokens);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    prompts,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

type Answer = ReturnType<AnswerOf>;

interface Wire {
  /** Returns the body of a refusal. */
  tooLong(tokens: number, window: number): object;
  answer(response: ServerResponse, answer: Answer, tokens: number): void;
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
  answer(response, answer, tokens) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const called = "path" in answer;
    const delta = called ? { tool_calls: [openaiCall(answer.path)] } : { content: answer.text };
    const usage = { prompt_tokens: tokens, completion_tokens: 20, total_tokens: tokens + 20 };
    const chunks = [
      { choices: [{ index: 0, delta, finish_reason: null }] },
      { choices: [{ index: 0, delta: {}, finish_reason: called ? "tool_calls" : "stop" }] },
      { choices: [], usage },
    ];
    for (const chunk of chunks)
      response.write(`data: ${JSON.stringify({ object: "chat.completion.chunk", ...chunk })}\n\n`);
    response.end("data: [DONE]\n\n");
  },
};

function openaiCall(path: string) {
  const args = JSON.stringify({ path });
  return { index: 0, id: `call_${path}`, type: "function", function: { name: "read_file", arguments: args } };
}

const ollama: Wire = {
  tooLong: () => ({ error: "the input length exceeds the context length" }),
  answer(response, answer, tokens) {
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    const called = "path" in answer;
    const calls = called ? [{ function: { name: "read_file", arguments: { path: answer.path } } }] : [];
    const content = called ? "" : answer.text;
    const lines = [
      { message: { role: "assistant", content, tool_calls: calls }, done: false },
      {
        message: { role: "assistant", content: "" },
        done: true,
        done_reason: "stop",
        prompt_eval_count: tokens,
        eval_count: 20,
      },
    ];
    for (const line of lines) response.write(`${JSON.stringify({ model: "small", ...line })}\n`);
    response.end();
  },
};
