/**
 * Runs a scripted model server on loopback: OpenAI-compatible chat and Ollama's native chat from one scenario.
 * `GET /__log` returns the received requests; `POST /__scenario` replaces the scenario and empties the log.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@localharness/protocol";
import { answerFor, faultFor, type Taken, turnOf } from "./answer.ts";
import { catalogAnswer } from "./catalog-answer.ts";
import { afterProgress } from "./llama-frames.ts";
import { ollamaBody, ollamaErrorFrame, ollamaFrames } from "./ollama-frames.ts";
import { openaiBody, openaiErrorFrame, openaiFrames } from "./openai-frames.ts";
import { refusal } from "./refusal.ts";
import type { Api, Fault, Scenario } from "./scenario.ts";
import { send } from "./send.ts";
import { readPrompt } from "./strict/reading-frames.ts";
import { strictCatalog } from "./strict/strict-catalog.ts";
import { createStrictDesk, type StrictDesk } from "./strict/strict-desk.ts";

/** One received request. Times are milliseconds of `performance.now()` in the server's process. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: JsonObject;
  readonly bodyBytes: number;
  /** Index of the turn and of the attempt at it; only for chat requests. */
  readonly turn?: number;
  readonly attempt?: number;
  readonly arrivedAt: number;
  /** The client's port; the same port means the same connection. */
  readonly clientPort?: number;
  /** Only for a strict server: the prompt that the template rendered, or why it refused. */
  prompt?: string;
  refused?: string;
  /** The time at which the answer was sent or the client had disconnected. */
  closedAt?: number;
  /** True when the client disconnected before the answer was complete. */
  abandoned?: boolean;
}

export interface FakeServer extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:PORT`, for Ollama. */
  readonly origin: string;
  /** `http://127.0.0.1:PORT/v1`, for OpenAI-compatible clients. */
  readonly baseUrl: string;
  readonly log: readonly LoggedRequest[];
  /** Contains only chat requests. */
  readonly chats: readonly LoggedRequest[];
  /** Only for a strict server: the prompts of the accepted requests. */
  readonly prompts: readonly string[];
  /** Only for a strict server: the number of its answers. */
  readonly answers: number;
  use(scenario: Scenario): void;
  close(): Promise<void>;
}

interface Script {
  scenario: Scenario;
  log: LoggedRequest[];
  attempts: Map<number, number>;
  desk: StrictDesk | undefined;
  /** Connections with an unread body; the next request on them would be misread. */
  readonly spoilt: WeakSet<Socket>;
  /** Stops listening, like a program that has crashed. */
  die: () => void;
}

/** Starts a server in this process; `port` 0 selects a free port. */
export async function startFakeServer(scenario: Scenario, port = 0): Promise<FakeServer> {
  const script: Script = {
    scenario,
    log: [],
    attempts: new Map(),
    desk: deskOf(scenario),
    spoilt: new WeakSet(),
    die: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  const server = createServer((request, response) => {
    handle(script, request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  server.on("connection", (socket) => socket.setNoDelay(true));
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return handleOf(server, script);
}

function handleOf(server: Server, script: Script): FakeServer {
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    get log() {
      return script.log;
    },
    get chats() {
      return script.log.filter((request) => request.turn !== undefined);
    },
    get prompts() {
      return script.log.flatMap(({ prompt }) => prompt ?? []);
    },
    get answers() {
      return script.desk?.answers ?? 0;
    },
    use: (scenario) => reset(script, scenario),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function reset(script: Script, scenario: Scenario): void {
  script.scenario = scenario;
  script.log = [];
  script.attempts = new Map();
  script.desk = deskOf(scenario);
}

function deskOf({ strict }: Scenario): StrictDesk | undefined {
  return strict === undefined ? undefined : createStrictDesk(strict);
}

/** Answers as a server that is loading its model, without reading the body. Returns true if nothing more must be sent. */
function answeredEarly(
  script: Script,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): boolean {
  if (script.spoilt.has(request.socket)) {
    response.writeHead(400, { connection: "close" }).end();
    return true;
  }
  const early = path.startsWith("/__") ? undefined : script.desk?.whileLoading(path);
  if (early === undefined) return false;
  if (early === "dies") {
    script.die();
    return true;
  }
  if (Number(request.headers["content-length"] ?? 0) > 0) script.spoilt.add(request.socket);
  script.log.push({
    method: request.method ?? "GET",
    path,
    headers: request.headers,
    bodyBytes: 0,
    arrivedAt: performance.now(),
    refused: "Loading model",
  });
  json(response, early.status, early.body);
  return true;
}

async function handle(script: Script, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const arrivedAt = performance.now();
  const path = (request.url ?? "/").split("?")[0] ?? "/";
  if (answeredEarly(script, request, response, path)) return;
  const bytes = Buffer.concat(await request.toArray());
  const text = bytes.toString();
  if (path === "/__log") return json(response, 200, script.log);
  if (path === "/__scenario") {
    reset(script, JSON.parse(text));
    return json(response, 200, { ok: true });
  }
  const body: JsonObject = text.startsWith("{") ? JSON.parse(text) : {};
  const api = chatApi(request.method, path);
  const turn = script.desk?.answers ?? turnOf(body);
  const attempt = script.attempts.get(turn) ?? 0;
  const entry: LoggedRequest = {
    method: request.method ?? "GET",
    path,
    headers: request.headers,
    ...(script.scenario.withoutBodies ? {} : { body }),
    bodyBytes: bytes.length,
    ...(api ? { turn, attempt } : {}),
    arrivedAt,
    ...(request.socket.remotePort === undefined ? {} : { clientPort: request.socket.remotePort }),
  };
  script.log.push(entry);
  response.on("close", () => {
    entry.closedAt = performance.now();
    entry.abandoned = !response.writableFinished;
  });
  const { scenario } = script;
  const refused = refusal(scenario, api, request, body);
  if (refused) return json(response, refused.status, refused.body);
  if (api === undefined) {
    const method = request.method ?? "GET";
    const told = script.desk && strictCatalog(script.desk, scenario, method, path, body);
    if (told) return json(response, told.status, told.body);
    const found = catalogAnswer(scenario, method, path, body);
    return found
      ? json(response, found.status, found.body)
      : json(response, 404, { error: `nothing at ${path}` });
  }
  const reading = script.desk?.read(api, body);
  if (reading?.kind === "refused") {
    entry.refused = JSON.stringify(reading.body);
    return json(response, reading.status, reading.body);
  }
  if (reading !== undefined) entry.prompt = reading.prompt;
  script.attempts.set(turn, attempt + 1);
  const fault = faultFor(scenario, turn, attempt);
  const wantsProgress = body["return_progress"] === true;
  const taken =
    reading && script.desk ? { turn, read: readPrompt(reading, script.desk, wantsProgress) } : undefined;
  if (fault === undefined) script.desk?.answered();
  return chat(response, api, body, { scenario, bytes: bytes.length, fault, ...(taken ? { taken } : {}) });
}

interface ChatContext {
  readonly scenario: Scenario;
  readonly bytes: number;
  readonly fault: Fault | undefined;
  readonly taken?: Taken;
}

async function chat(
  response: ServerResponse,
  api: Api,
  body: JsonObject,
  context: ChatContext,
): Promise<void> {
  const { fault } = context;
  const answer = answerFor(context.scenario, body, context.bytes, context.taken);
  if (answer.wire.delayMs > 0) await sleep(answer.wire.delayMs);
  if (fault && (await strikeFirst(response, fault))) return;
  if (api === "openai") {
    if (answer.wire.plain || body["stream"] !== true) return json(response, 200, openaiBody(answer));
    const options = body["stream_options"];
    const includeUsage = typeof options === "object" && options !== null;
    const frames = afterProgress(answer, openaiFrames(answer, includeUsage));
    return send(response, {
      frames,
      contentType: "text/event-stream",
      wire: answer.wire,
      fault,
      errorFrame: openaiErrorFrame,
    });
  }
  if (answer.wire.plain) return json(response, 200, ollamaBody(answer));
  const frames = ollamaFrames(answer);
  return send(response, {
    frames,
    contentType: "application/x-ndjson",
    wire: answer.wire,
    fault,
    errorFrame: ollamaErrorFrame,
  });
}

/** Applies a fault that comes before the first byte. Returns true if there will be no answer. */
async function strikeFirst(response: ServerResponse, fault: Fault): Promise<boolean> {
  switch (fault.kind) {
    case "hang-up":
      response.socket?.destroy();
      return true;
    case "hold":
      return true;
    case "html":
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<!doctype html><html><body><h1>Welcome</h1></body></html>");
      return true;
    case "status":
      json(
        response,
        fault.status,
        fault.body ?? { error: { message: `status ${fault.status}` } },
        fault.headers,
      );
      return true;
    default:
      return false;
  }
}

function chatApi(method: string | undefined, path: string): Api | undefined {
  if (method !== "POST") return undefined;
  if (path.endsWith("/chat/completions")) return "openai";
  return path === "/api/chat" ? "ollama" : undefined;
}

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
