/** Tests servers that keep the connection open after a complete answer or after a refusal. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelEvent } from "@localharness/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { createOllamaChat, createOpenaiChat } from "../src/index.ts";
import { collect, emptyRequest } from "./model-contract.ts";
import { createTestHttp } from "./test-request.ts";

const finished = 'data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\n';
const done = '{"message":{"content":"hi"},"done":true,"done_reason":"stop"}\n';

const sockets = new Set<object>();
let answer: (response: ServerResponse) => void = () => undefined;
const server = createServer((request, response) => request.resume().once("end", () => answer(response)));
server.on(
  "connection",
  (socket) => sockets.add(socket).size && socket.on("close", () => sockets.delete(socket)),
);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const base = { title: "Test", model: "m", http: createTestHttp() };

function ask(
  wire: "openai" | "ollama",
  refusalMs?: number,
  signal: AbortSignal = AbortSignal.timeout(4_000),
): Promise<readonly ModelEvent[]> {
  const limits = refusalMs === undefined ? {} : { limits: { refusalMs } };
  const options = { ...base, ...limits, provider: "custom", retry: { tries: 1 } };
  const model =
    wire === "openai"
      ? createOpenaiChat({ ...options, baseUrl: `${address}/v1` })
      : createOllamaChat({ ...options, origin: address });
  return collect(model, emptyRequest, signal);
}

function repeat(response: ServerResponse, text: string): void {
  const timer = setInterval(() => response.write(text), 5);
  response.once("close", () => clearInterval(timer));
}

describe("a complete answer ends", () => {
  it.each([
    { title: "pings after the finish reason", wire: "openai", text: finished, after: ": ping\n\n" },
    {
      title: "pings after the last word",
      wire: "openai",
      text: `${finished}data: [DONE]\n\n`,
      after: ": ping\n\n",
    },
    {
      title: "more words after the last",
      wire: "openai",
      text: `${finished}data: [DONE]\n\n`,
      after: finished,
    },
    { title: "blank lines after it is done", wire: "ollama", text: done, after: "\n" },
  ] as const)("whatever follows: $title", async ({ wire, text, after }) => {
    answer = (response) => {
      response.write(text);
      repeat(response, after);
    };
    const events = await ask(wire);
    expect(events.filter(({ type }) => type !== "usage")).toEqual([
      { type: "text-delta", text: "hi" },
      { type: "model-end", stopReason: "stop" },
    ]);
  });
});

it("data after the finish reason does not extend the wait", async () => {
  answer = (response) => {
    response.write(finished, () => setTimeout(() => response.write(finished), 20));
  };
  expect((await ask("openai")).filter(({ type }) => type !== "usage")).toEqual([
    { type: "text-delta", text: "hihi" },
    { type: "model-end", stopReason: "stop" },
  ]);
});

it("an interruption by the person is not a refusal", async () => {
  const person = new AbortController();
  answer = (response) => {
    response.writeHead(503);
    response.write("busy", () => setTimeout(() => person.abort(), 20));
  };
  expect(await ask("openai", 4_000, person.signal)).toMatchObject([{ type: "model-error", code: "aborted" }]);
});

it.each(["openai", "ollama"] as const)(
  "a refusal whose text never ends is told with what came of it (%s)",
  async (wire) => {
    answer = (response) => {
      response.writeHead(503, { "content-type": "application/json" });
      response.write("busy");
      repeat(response, " ");
    };
    expect((await ask(wire, 80)).at(-1)).toMatchObject({
      type: "model-error",
      code: "server-error",
      message: expect.stringContaining("answered 503: busy."),
    });
  },
);

it.each([
  ["openai", `${finished}data: [DONE]\n\n`],
  ["ollama", done],
] as const)("a complete answer counts also when the connection is cut behind it (%s)", async (wire, text) => {
  // Wait until the written data has left, because a reset may overtake it.
  answer = (response) => response.write(text, () => setTimeout(() => response.destroy(), 20));
  expect((await ask(wire)).at(-1)).toEqual({ type: "model-end", stopReason: "stop" });
});

it("a redirect keeps no connection busy, even if its body does not end", async () => {
  await expect.poll(() => sockets.size).toBeLessThan(2);
  for (const ends of [true, false]) {
    answer = (response) => {
      response.writeHead(307, { location: "http://me:hunter2@else.example/v1" });
      response.write("moved");
      if (ends) response.end();
    };
    for (let turn = 0; turn < 3; turn += 1) {
      const last = (await ask("openai", 50)).at(-1);
      expect(last).toMatchObject({ code: "bad-response", status: 307 });
      expect(JSON.stringify(last)).toContain("redirects to http://else.example/v1. ");
    }
    // At most one connection, kept open for the next request.
    await expect.poll(() => sockets.size).toBeLessThan(2);
  }
});
