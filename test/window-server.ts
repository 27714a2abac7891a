/** A model server with a small context window: it counts tokens, and refuses prompts that do not fit as llama.cpp does. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface WindowServer {
  /** The address with `/v1`. */
  readonly baseUrl: string;
  /** The bodies of the requests that fitted into the window, as text, the oldest first. */
  readonly prompts: readonly string[];
  /** The number of refused requests. */
  refused(): number;
  close(): Promise<void>;
}

/** Returns the model's answer to the n-th prompt that fits: a call of `read_file` for a path, or text. */
export type AnswerOf = (index: number) => { readonly path: string } | { readonly text: string };

/** Starts a server whose window has `window` tokens of 4 characters each. */
export async function startWindowServer(window: number, answerOf: AnswerOf): Promise<WindowServer> {
  const prompts: string[] = [];
  let refused = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      if (request.method === "GET") return sendJson(response, 200, models(window));
      const tokens = Math.ceil(body.length / 4);
      if (tokens > window) {
        refused += 1;
        return sendJson(response, 400, tooLong(tokens, window));
      }
      prompts.push(body);
      return sendAnswer(response, answerOf(prompts.length - 1), tokens);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    prompts,
    refused: () => refused,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const models = (window: number) => ({
  object: "list",
  data: [{ id: "small", object: "model", max_model_len: window }],
});

const tooLong = (tokens: number, window: number) => ({
  error: {
    code: 400,
    message: `the request exceeds the available context size (${tokens} > ${window})`,
    type: "exceed_context_size_error",
  },
});

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function sendAnswer(response: ServerResponse, answer: ReturnType<AnswerOf>, tokens: number): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const called = "path" in answer;
  const delta = called ? { tool_calls: [callOf(answer.path)] } : { content: answer.text };
  const usage = { prompt_tokens: tokens, completion_tokens: 20, total_tokens: tokens + 20 };
  const chunks = [
    { choices: [{ index: 0, delta, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: called ? "tool_calls" : "stop" }] },
    { choices: [], usage },
  ];
  for (const chunk of chunks)
    response.write(`data: ${JSON.stringify({ object: "chat.completion.chunk", ...chunk })}\n\n`);
  response.end("data: [DONE]\n\n");
}

function callOf(path: string) {
  const args = JSON.stringify({ path });
  return { index: 0, id: `call_${path}`, type: "function", function: { name: "read_file", arguments: args } };
}
