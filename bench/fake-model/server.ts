/** The scripted model server: a separate process, so that its work does not count, which takes orders over IPC. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@localharness/protocol";
import { catalogAnswer } from "./catalog.ts";
import type { ServerAnswer, ServerJob, ServerOrder } from "./control.ts";
import { fillTool } from "./fill-tool.ts";
import { createRequestLog, type LogEntry } from "./request-log.ts";
import {
  bigCallPath,
  bigContent,
  deltaTexts,
  finalText,
  hermesText,
  type PlannedCall,
  type Reply,
  readPath,
} from "./scenario.ts";
import { createStrictModel, type StrictModel } from "./strict.ts";
import type { PromptParts, WireAdapter } from "./wire.ts";
import { gemini } from "./wires/gemini.ts";
import { ollamaChat } from "./wires/ollama-chat.ts";
import { openaiChat } from "./wires/openai-chat.ts";
import { openaiResponses } from "./wires/openai-responses.ts";

const adapters: readonly WireAdapter[] = [openaiChat, ollamaChat, openaiResponses, gemini];
/** Frames are joined to portions of at least this many characters, like those of a fast server. */
const portionChars = 16_384;

let job: ServerJob = { scenario: { kind: "answer" }, pathPrefix: "" };
let strict: StrictModel | undefined;
let log = createRequestLog();

/** Returns the model's next reply; undefined when the request has no tools and so is not part of the conversation. */
function plan(job: ServerJob, prompt: PromptParts): Pick<Reply, "text" | "calls"> | undefined {
  const { scenario, pathPrefix: prefix } = job;
  if (prompt.tools.length === 0) return undefined;
  const done = { text: [finalText], calls: [] };
  switch (scenario.kind) {
    case "answer":
      return done;
    case "deltas":
      return { text: deltaTexts(scenario.count), calls: [] };
    case "reads": {
      if (prompt.results >= scenario.turns) return done;
      const call = fillTool(prompt.tools, { path: prefix + readPath(prompt.results) });
      return call === undefined ? done : { text: [], calls: [made(call, prompt.results, 0)] };
    }
    case "big-call": {
      if (hasBigCall(prompt)) return done;
      const wanted = { path: prefix + bigCallPath, content: bigContent(scenario.bytes) };
      const call = fillTool(prompt.tools, wanted);
      if (call === undefined) return done;
      if (scenario.as === "hermes") return { text: hermesText(call.name, call.arguments), calls: [] };
      return { text: [], calls: [made(call, 0, 5)] };
    }
  }
}

/**
 * Returns true if the big call was made before. The answer to a call in text may be a message that is not a tool result.
 */
function hasBigCall(prompt: PromptParts): boolean {
  return prompt.results > 0 || prompt.messages.length > 1;
}

function made(call: { name: string; arguments: JsonObject }, index: number, deltaChars: number): PlannedCall {
  return { ...call, id: `call_${String(index).padStart(4, "0")}`, deltaChars };
}

async function answer(request: IncomingMessage, response: ServerResponse, entry: LogEntry): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const raw = Buffer.concat(chunks);
  entry.bodyBytes = raw.length;
  const path = entry.path;
  const adapter =
    request.method === "POST" ? adapters.find((candidate) => candidate.serves(path)) : undefined;
  const body: JsonObject = raw.length === 0 ? {} : JSON.parse(raw.toString());
  if (adapter === undefined) {
    const told = strict?.tell(request.method ?? "", path, body) ?? catalogAnswer(path);
    return asJson(response, told.status, told.body);
  }
  const read = strict?.read(path, body);
  if (read !== undefined && "status" in read) {
    entry.refused = JSON.stringify(read.body);
    return asJson(response, read.status, read.body);
  }
  entry.rendered = read?.prompt;
  const prompt = adapter.readPrompt(body);
  const planned = plan(job, prompt);
  entry.kind = planned === undefined ? "side" : "conversation";
  entry.prompt = prompt;
  const reply: Reply = {
    ...(planned ?? { text: ["A title"], calls: [] }),
    model: String(body["model"] ?? "fake-model"),
    promptTokens: Math.ceil(raw.length / 4),
  };
  if (!adapter.streams(path, body)) return asJson(response, 200, adapter.whole(reply));
  response.writeHead(200, { "content-type": adapter.contentType, "cache-control": "no-cache" });
  const apart = job.scenario.kind === "deltas" && job.scenario.apart;
  await stream(response, adapter.frames(reply, body), apart);
}

function asJson(response: ServerResponse, status: number, body: JsonObject | string): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json" }).end(text);
}

async function stream(response: ServerResponse, frames: Iterable<string>, apart: boolean): Promise<void> {
  let portion = "";
  for (const frame of frames) {
    portion += frame;
    if (apart) await sleep(1);
    else if (portion.length < portionChars) continue;
    if (!response.write(portion)) await once(response, "drain");
    portion = "";
  }
  response.end(portion);
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const entry = log.begin(request.method ?? "", (request.url ?? "").split("?")[0] ?? "");
  response.on("finish", () => log.finish(entry));
  answer(request, response, entry).catch((error: unknown) => {
    entry.problem = String(error);
    response.destroy();
  });
});
server.on("connection", (socket) => socket.setNoDelay(true));

const tell = (message: ServerAnswer) => process.send?.(message);
process.on("message", (order: ServerOrder) => {
  if (order.kind === "report") {
    tell({ kind: "report", report: log.report(job.scenario), cpu: process.cpuUsage() });
    return;
  }
  job = order.job;
  strict = job.strict && createStrictModel(job.strict);
  log = createRequestLog();
  tell({ kind: "ready" });
});
process.on("disconnect", () => process.exit(0));
server.listen(0, "127.0.0.1", () =>
  tell({ kind: "listening", port: (server.address() as AddressInfo).port }),
);
