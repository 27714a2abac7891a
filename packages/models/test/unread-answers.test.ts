/** Servers that could not read their model's answer: what they quote of it is read, and tools go into the prompt in the end. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { emptyDraft, growDraft, type ModelEvent } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { withTextToolCalls } from "../src/index.ts";
import { createProfile } from "../src/request/profile/model-profile.ts";
import { collect } from "./model-contract.ts";
import { ollama, openai } from "./open-wires.ts";
import { lsTool, readTool, user } from "./test-request.ts";

type Wire = "openai" | "ollama";

/** A part of a stream, a status with a body, or the words of an error in the stream. */
type Reply = { text?: string; error?: unknown; begunCall?: boolean; status?: number; body?: unknown };

const call = '<tool_call>\n{"name": "ls", "arguments": {"path": "a"}}\n</tool_call>';
const quoted = `Failed to parse input at pos 3: ${call}`;

/** Starts a server that gives these replies one after the other, the last one again and again. */
async function startServer(replies: readonly Reply[]) {
  const requests: { tools?: unknown }[] = [];
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const isChat = /chat/.test(request.url ?? "");
    if (!isChat) {
      response.writeHead(404).end();
      return;
    }
    const reply = replies[Math.min(requests.length, replies.length - 1)] ?? {};
    requests.push(JSON.parse(body) as { tools?: unknown });
    response.writeHead(reply.status ?? 200, { "content-type": "text/event-stream" });
    response.end(
      reply.status === undefined
        ? stream(reply, request.url === "/api/chat" ? "ollama" : "openai")
        : JSON.stringify(reply.body),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    requests,
    origin,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += String(part);
  return text;
}

function stream({ text, error, begunCall }: Reply, wire: Wire): string {
  if (wire === "ollama") {
    const lines = [
      ...(text === undefined ? [] : [{ message: { content: text } }]),
      error === undefined ? { message: { content: "" }, done: true, done_reason: "stop" } : { error },
    ];
    return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  }
  const begun = { index: 0, id: "x", function: { name: "ls", arguments: '{"pa' } };
  const chunks = [
    ...(text === undefined ? [] : [{ choices: [{ delta: { content: text } }] }]),
    ...(begunCall === true ? [{ choices: [{ delta: { tool_calls: [begun] } }] }] : []),
    error === undefined ? { choices: [{ delta: {}, finish_reason: "stop" }] } : { error },
  ];
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}`;
}

interface Asked {
  readonly replies: readonly Reply[];
  readonly times?: number;
  readonly readsText?: boolean;
}

/** Asks a model of the server, and returns what a session keeps of the last answer, with all events. */
async function ask(wire: Wire, { replies, times = 1, readsText = true }: Asked) {
  await using server = await startServer(replies);
  const profile = createProfile();
  const more = { profile, readsText };
  const chat = wire === "openai" ? openai(`${server.origin}/v1`, more) : ollama(server.origin, more);
  const model = withTextToolCalls(chat, { mode: readsText ? "auto" : "native" });
  const events: ModelEvent[] = [];
  let last: readonly ModelEvent[] = [];
  for (let time = 0; time < times; time += 1) {
    last = await collect(model, { messages: [user("Look.")], tools: [lsTool, readTool] });
    events.push(...last);
  }
  const { text, toolCalls } = last.reduce(growDraft, emptyDraft);
  return {
    text,
    calls: toolCalls.map(({ name, arguments: args }) => [name, args]),
    end: last.at(-1),
    told: events.flatMap((event) => (event.type === "model-retry" ? [event.message] : [])),
    withTools: server.requests.map(({ tools }) => tools !== undefined),
    learnt: profile.learnt(),
  };
}

const found = [["ls", { path: "a" }]];
const wires: readonly Wire[] = ["openai", "ollama"];

describe.each(wires)("over %s", (wire) => {
  test.each<[title: string, reply: Reply, text: string]>([
    ["in the stream", { error: quoted }, ""],
    ["in the stream after text", { text: "I look.", error: quoted }, "I look.\n"],
    ["with a status", { status: 500, body: { error: { message: quoted } } }, ""],
    ["with a status 400", { status: 400, body: { code: "tool_use_failed", failed_generation: call } }, ""],
    ["in a call that the server had begun", { text: "I look.", begunCall: true, error: quoted }, "I look.\n"],
  ])("a call is read from an error %s", async (_title, reply, text) => {
    const answer = await ask(wire, { replies: [reply] });
    expect(answer).toMatchObject({ text, calls: found, told: [], withTools: [true] });
    expect(answer.end).toEqual({ type: "model-end", stopReason: "tool-calls" });
  });

  test("without a call in it, the request is repeated once; then tools go into the prompt, which is told", async () => {
    const broken = { text: "I", error: "XML syntax error on line 5: unexpected end element" };
    const answer = await ask(wire, { replies: [broken, { ...broken, text: "We" }, { text: call }] });
    expect(answer).toMatchObject({ text: "", calls: found, withTools: [true, true, false] });
    expect(answer.told).toEqual([
      expect.stringMatching(
        /could not read the model's answer \(XML syntax error on line #: .*Asking again\.$/,
      ),
      expect.stringMatching(
        /^The server failed twice to read what fake-model wrote: the tools are described in the prompt/,
      ),
    ]);
    expect(answer.learnt).toEqual(["unread-calls"]);
  });

  test("an answer that the server can read the second time is the answer", async () => {
    const answer = await ask(wire, {
      replies: [
        { text: "I", error: "error parsing tool call: raw='{\"pa', err=EOF" },
        { text: "It is done." },
      ],
    });
    expect(answer).toMatchObject({ text: "It is done.", calls: [], withTools: [true, true], learnt: [] });
  });

  test("calls that are read from two errors are told and remembered from the third request on", async () => {
    const answer = await ask(wire, {
      replies: [{ error: quoted }, { error: quoted }, { text: call }],
      times: 3,
    });
    expect(answer).toMatchObject({ calls: found, withTools: [true, true, false], learnt: ["unread-calls"] });
    expect(answer.told).toHaveLength(1);
  });

  test("failures of several kinds end in an error", async () => {
    const kinds = ["a", "b", "c", "d", "e"].map((kind) => ({ error: `Failed to parse tool call ${kind}` }));
    const answer = await ask(wire, { replies: kinds });
    expect(answer.end).toMatchObject({ type: "model-error" });
    expect(answer.withTools.length).toBeLessThan(12);
  });

  test("where only native calls are read, it is an error", async () => {
    const answer = await ask(wire, { replies: [{ text: "I", error: quoted }], readsText: false });
    expect(answer.end).toMatchObject({ type: "model-error", code: "server-error" });
    expect(answer.calls).toEqual([]);
  });
});

test("tools stay in the prompt in the next run", async () => {
  const profile = createProfile([], ["unread-calls"]);
  expect(profile.habits.has("unread-calls")).toBe(true);
  profile.tell({ template: "{{ tools }} {{ tool_calls }}", takesTools: true });
  expect(profile.habits.has("unread-calls")).toBe(true);
});
