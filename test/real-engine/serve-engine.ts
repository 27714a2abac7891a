/**
 * Serves the engine with an OpenAI-compatible API. It takes the arguments of llama.cpp's server that the suite uses and
 * answers like it, but leaves calls in the text, where the client has to detect them.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { parseArgs } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { answerChat, type Piece, type Prompt, promptOf } from "./answer-chat.ts";
import { type LoadedModel, loadModel } from "./load-engine.ts";

interface Settings {
  readonly model: string;
  readonly alias: string;
  readonly host: string;
  readonly port: number;
  readonly contextSize: number;
}

await serve(readSettings(process.argv.slice(2)));

function readSettings(args: readonly string[]): Settings {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      model: text,
      alias: text,
      host: text,
      port: text,
      "ctx-size": text,
      threads: text,
      parallel: text,
      jinja: { type: "boolean" },
    },
  });
  const { model, alias, host = "127.0.0.1", port, "ctx-size": contextSize } = values;
  if (model === undefined || port === undefined) throw new Error("Expected --model FILE and --port N.");
  return { model, alias: alias ?? model, host, port: Number(port), contextSize: Number(contextSize ?? 4096) };
}

async function serve(settings: Settings): Promise<void> {
  let model: LoadedModel | undefined;
  let last: Promise<void> = Promise.resolve();
  const server = createServer((request, response) => {
    if (model === undefined) {
      request.resume();
      json(response, 503, { error: { code: 503, message: "Loading model", type: "unavailable_error" } });
      return;
    }
    const loaded = model;
    // The engine answers one request at a time.
    last = last
      .then(() => answer(loaded, settings, request, response))
      .catch((error: unknown) => {
        console.error(error);
        response.destroy();
      });
  });
  server.listen(settings.port, settings.host);
  model = await loadModel(settings.model, settings.contextSize);
  console.error(`server is listening on http://${settings.host}:${settings.port}`);
  process.once("SIGTERM", () => process.exit(0));
}

async function answer(
  model: LoadedModel,
  settings: Settings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = Buffer.concat(await request.toArray()).toString();
  switch (`${request.method} ${request.url}`) {
    case "GET /health":
      return json(response, 200, { status: "ok" });
    case "GET /props":
      return json(response, 200, propsOf(model, settings));
    case "GET /v1/models":
      return json(response, 200, { object: "list", data: [listed(model, settings)] });
    case "POST /v1/chat/completions":
      return chat(model, settings, JSON.parse(body), response);
    default:
      return json(response, 404, {
        error: { code: 404, message: "File Not Found", type: "not_found_error" },
      });
  }
}

function propsOf(model: LoadedModel, { model: path, alias }: Settings): JsonObject {
  return {
    default_generation_settings: { n_ctx: model.contextSize },
    total_slots: 1,
    model_alias: alias,
    model_path: path,
    modalities: { vision: false, audio: false },
    chat_template: model.template,
    bos_token: model.begin,
    eos_token: model.end,
  };
}

function listed(model: LoadedModel, { alias }: Settings): JsonObject {
  return { id: alias, object: "model", created: 0, owned_by: "llamacpp", meta: { n_ctx: model.contextSize } };
}

async function chat(
  model: LoadedModel,
  { alias }: Settings,
  body: JsonValue,
  response: ServerResponse,
): Promise<void> {
  const asked = isJsonObject(body) ? body : {};
  const prompt = promptOf(model, asked);
  if (prompt.kind === "refusal") return json(response, prompt.error.code, { error: prompt.error });
  const head = { id: "chatcmpl-engine", object: "chat.completion.chunk", created: 0, model: alias };
  const say = (choice: JsonObject, more: JsonObject = {}) =>
    response.write(
      `data: ${JSON.stringify({ ...head, choices: [{ index: 0, finish_reason: null, ...choice }], ...more })}\n\n`,
    );
  response.writeHead(200, { "content-type": "text/event-stream" });
  say({ delta: { role: "assistant", content: null } });
  for await (const piece of answerChat(model, prompt, asked)) {
    if (response.destroyed) return;
    if (piece.kind === "text") say({ delta: { content: piece.text } });
    else say({ delta: {}, finish_reason: piece.reason }, countsOf(prompt, piece));
  }
  response.end("data: [DONE]\n\n");
}

function countsOf({ tokens }: Prompt, { written, known }: Piece & { kind: "end" }): JsonObject {
  return {
    usage: {
      prompt_tokens: tokens.length,
      completion_tokens: written,
      total_tokens: tokens.length + written,
    },
    timings: { cache_n: known, prompt_n: tokens.length - known, predicted_n: written },
  };
}

function json(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
