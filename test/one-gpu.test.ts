/** Checks in the whole program that requests beside a turn wait for it, and leave its prompt in the server's cache. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { makePlace, removePlaces, run } from "./run-program.ts";

afterAll(removePlaces);

interface Request {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly unknown[];
  readonly id_slot?: number;
}

interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}

interface Answer {
  readonly text?: string;
  readonly calls?: readonly Call[];
}

const chooses = (body: string) => body.includes("You choose which lines of a file");
const isAgents = (body: string) => body.includes('You are the agent \\"');

/** Answers like llama.cpp or Ollama, each request after a while, and records which requests overlap. */
async function startServer(slots: number | undefined) {
  const requests: Request[] = [];
  let running = 0;
  let most = 0;
  const reply = (request: IncomingMessage, response: ServerResponse, body: string) => {
    const { url = "" } = request;
    if (url.startsWith("/props")) return sendJson(response, propsOf(slots));
    if (request.method === "GET") return sendJson(response, lists(url));
    if (url === "/api/show") return sendJson(response, { capabilities: ["completion", "tools"] });
    requests.push(JSON.parse(body));
    running += 1;
    most = Math.max(most, running);
    setTimeout(() => {
      running -= 1;
      (url === "/api/chat" ? sendOllama : sendOpenai)(response, answerTo(body));
    }, 30);
  };
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => reply(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    most: () => most,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** The first answer of the turn starts two reads that ask the curator and two agents, side by side. */
function answerTo(body: string): Answer {
  if (chooses(body)) return { text: JSON.stringify({ ranges: [{ start: 1, end: 20 }] }) };
  if (isAgents(body)) return { text: "The agent is done." };
  if (JSON.parse(body).messages.at(-1).role === "tool") return { text: "All is done." };
  const read = (path: string) => ({ name: "read_file", arguments: { path } });
  const ask = (task: string) => ({ name: "run_agent", arguments: { agent: "general", task } });
  return { calls: [read("a.js"), ask("look at a"), read("b.js"), ask("look at b")] };
}

function propsOf(slots: number | undefined): object {
  if (slots === undefined) return {};
  return { default_generation_settings: { n_ctx: 32_768 }, total_slots: slots };
}

function lists(url: string): object {
  const loaded = { name: "small", model: "small", context_length: 32_768 };
  const row = { id: "small", object: "model", owned_by: "llamacpp", max_model_len: 32_768 };
  return url.startsWith("/api/") ? { models: [loaded] } : { object: "list", data: [row] };
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function sendOpenai(response: ServerResponse, { text = "", calls = [] }: Answer): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const tool_calls = calls.map(({ name, arguments: args }, index) => ({
    index,
    id: `call_${Math.random()}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  const delta = calls.length > 0 ? { tool_calls } : { content: text };
  const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
  for (const choice of [
    { index: 0, delta, finish_reason: null },
    { index: 0, delta: {}, finish_reason },
  ]) {
    response.write(`data: ${JSON.stringify({ object: "chat.completion.chunk", choices: [choice] })}\n\n`);
  }
  response.end("data: [DONE]\n\n");
}

function sendOllama(response: ServerResponse, { text = "", calls = [] }: Answer): void {
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  const tool_calls = calls.map((call) => ({ function: call }));
  for (const line of [
    { message: { role: "assistant", content: text, tool_calls }, done: false },
    { message: { role: "assistant", content: "" }, done: true, done_reason: "stop" },
  ]) {
    response.write(`${JSON.stringify({ model: "small", ...line })}\n`);
  }
  response.end();
}

const source = Array.from({ length: 150 }, (_, index) => `const value${index} = ${index};\n`).join("");

/** Runs the turn. Returns what the server has seen; `beside` are the requests of the curator and of agents. */
async function runTurn(slots: number | undefined, wire: (origin: string) => readonly string[]) {
  const server = await startServer(slots);
  const place = makePlace({ "a.js": source, "b.js": source.replaceAll("value", "other") });
  const options = [...wire(server.origin), "--model", "small", "--tools", "all", "--mode", "bypass"];
  const env = { LOCALHARNESS_CURATOR: "on" };
  const { code, stdout, stderr } = await run([...options, "-p", "Look at both."], { place, env });
  await server.close();
  expect({ code, stdout: stdout.trim(), stderr: code === 0 ? "" : stderr }).toEqual({
    code: 0,
    stdout: "All is done.",
    stderr: "",
  });
  const isBeside = (request: Request) => {
    const text = JSON.stringify(request);
    return chooses(text) || isAgents(text);
  };
  const turn = server.requests.filter((request) => !isBeside(request));
  return { turn, beside: server.requests.filter(isBeside), most: server.most() };
}

const llama = (origin: string) => ["--provider", "llamacpp", "--base-url", `${origin}/v1`];

describe.each<[string, number | undefined, (origin: string) => readonly string[]]>([
  ["llama.cpp with two slots", 2, llama],
  ["llama.cpp with one slot", 1, llama],
  ["an unknown server on this machine", undefined, (origin) => ["--base-url", `${origin}/v1`]],
  ["Ollama", undefined, (origin) => ["--provider", "ollama", "--base-url", origin, "--num-ctx", "32768"]],
])("%s", (_name, slots, wire) => {
  test("gets one request at a time from a turn with two curated reads and two agents", async () => {
    const { turn, beside, most } = await runTurn(slots, wire);
    expect({ turn: turn.length, beside: beside.length, most }).toEqual({ turn: 2, beside: 4, most: 1 });
  });
});

test("with several slots, requests beside the turn use another slot than the turn", async () => {
  const { turn, beside } = await runTurn(2, llama);
  expect(turn.map(({ id_slot }) => id_slot)).toEqual([0, 0]);
  expect(beside.map(({ id_slot }) => id_slot)).toEqual([1, 1, 1, 1]);
});

test("a server whose slots are unknown gets no id_slot", async () => {
  const { turn, beside } = await runTurn(undefined, (origin) => ["--base-url", `${origin}/v1`]);
  expect([...turn, ...beside].filter((request) => "id_slot" in request)).toEqual([]);
});

describe("with one slot, a question of the curator", () => {
  test.each<[string, number | undefined, (origin: string) => readonly string[]]>([
    ["of llama.cpp", 1, llama],
    [
      "of Ollama",
      undefined,
      (origin) => ["--provider", "ollama", "--base-url", origin, "--num-ctx", "32768"],
    ],
  ])("follows the prompt of the turn, so that it stays in the cache %s", async (_name, slots, wire) => {
    const { turn, beside } = await runTurn(slots, wire);
    const [first] = turn;
    const questions = beside.filter((request) => chooses(JSON.stringify(request)));
    expect(questions).toHaveLength(2);
    for (const question of questions) {
      expect(question.messages.slice(0, -1)).toEqual(first?.messages);
      expect(question.tools).toEqual(first?.tools);
    }
  });
});
