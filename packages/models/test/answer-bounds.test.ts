/** Tests that answers without an end are bounded: by their characters, and by the calls that are kept. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelEvent } from "@localharness/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { withTextToolCalls } from "../src/index.ts";
import { collect, emptyRequest } from "./model-contract.ts";
import { wires } from "./open-wires.ts";

type WireName = "openai" | "ollama";

let lines: Iterable<string> = [];
let sent = 0;
const server = createServer((request, response) => request.resume().once("end", () => void stream(response)));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const at = { origin, baseUrl: `${origin}/v1` };

async function stream(response: ServerResponse): Promise<void> {
  sent = 0;
  for (const line of lines) {
    if (response.destroyed) return;
    sent += 1;
    if (response.write(line)) continue;
    await new Promise<void>((resolve) => {
      response.once("close", resolve);
      response.once("drain", resolve);
    });
  }
  response.end();
}

function frame(wire: WireName, message: object): string {
  return wire === "ollama"
    ? `${JSON.stringify({ message, done: false })}\n`
    : `data: ${JSON.stringify({ choices: [{ index: 0, delta: message }] })}\n\n`;
}

const lastFrames = {
  ollama: '{"message":{},"done":true,"done_reason":"stop"}\n',
  openai: 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
};

/** Frames with a message each, as many as `count`; a stream without an end has so many that the bound is met before. */
function* frames(wire: WireName, count: number, message: (index: number) => object): Generator<string> {
  for (let index = 0; index < count; index += 1) yield frame(wire, message(index));
  yield lastFrames[wire];
}

function nativeCall(wire: WireName, index: number): object {
  const args = { path: `f${index}` };
  if (wire === "ollama") return { tool_calls: [{ function: { name: "look", arguments: args } }] };
  const made = { name: "look", arguments: JSON.stringify(args) };
  return { tool_calls: [{ index, id: `c${index}`, function: made }] };
}

const textCall = (index: number) => ({
  content: `<tool_call>{"name":"look","arguments":{"path":"f${index}"}}</tool_call>\n`,
});

const look = {
  name: "look",
  description: "looks",
  parameters: { type: "object", properties: { path: { type: "string" } } },
} as const;

async function ask(wire: WireName, more: object = {}, maxCalls?: number): Promise<readonly ModelEvent[]> {
  const model = wires.find(({ name }) => name === wire)?.connect(at, more);
  if (model === undefined) throw new Error(`no wire ${wire}`);
  const request = { ...emptyRequest, tools: [look], ...(maxCalls === undefined ? {} : { maxCalls }) };
  return collect(withTextToolCalls(model), request);
}

const ends = (events: readonly ModelEvent[]) => events.filter(({ type }) => type === "tool-call-end");
const endless = 10_000_000;
const wireNames: readonly WireName[] = ["openai", "ollama"];

describe.each(wireNames)("on the wire %s", (wire) => {
  it("text without an end is cut at the bound, and the request is ended", async () => {
    lines = frames(wire, endless, () => ({ content: "lorem 😀 " }));
    const events = await ask(wire, { limits: { answerChars: 10_007 } });
    const text = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");
    expect(text.length).toBeGreaterThan(10_000);
    expect(text.length).toBeLessThanOrEqual(10_007);
    expect(text.isWellFormed()).toBe(true);
    expect(events.at(-1)).toEqual({
      type: "model-end",
      stopReason: "length",
      cut: {
        at: "reading",
        advice: "limits.answer_characters is 10007: raise it to read longer answers.",
      },
    });
    expect(sent).toBeLessThan(endless);
  });

  it("an answer as long as the bound is whole", async () => {
    lines = frames(wire, 10, () => ({ content: "12345" }));
    const events = await ask(wire, { limits: { answerChars: 50 } });
    expect(events.at(-1)).toEqual({ type: "model-end", stopReason: "stop" });
  });

  it.each([
    ["native", (index: number) => nativeCall(wire, index)],
    ["written", textCall],
  ] as const)("%s calls beyond those that are taken are counted and not kept", async (_title, call) => {
    lines = frames(wire, 1_500, call);
    const events = await ask(wire);
    expect(ends(events)).toHaveLength(200);
    expect(ends(events).at(-1)).toMatchObject({ arguments: expect.anything(), name: "look" });
    expect(events.filter(({ type }) => type === "tool-call-start")).toHaveLength(200);
    expect(events.filter(({ type }) => type === "tool-call-error")).toMatchObject([
      { reason: "too-many", calls: 1_300, raw: "" },
    ]);
    expect(events.at(-1)).toEqual({ type: "model-end", stopReason: "tool-calls" });
  });

  it.each([
    ["native", (index: number) => nativeCall(wire, index)],
    ["written", textCall],
  ] as const)("%s calls without an end are cut at the bound", async (_title, call) => {
    lines = frames(wire, endless, call);
    const events = await ask(wire, { limits: { answerChars: 100_000 } });
    expect(ends(events)).toHaveLength(200);
    expect(events.filter(({ type }) => type === "tool-call-error")).toMatchObject([{ reason: "too-many" }]);
    expect(events.at(-1)).toMatchObject({ stopReason: "length", cut: { at: "reading" } });
    expect(sent).toBeLessThan(endless);
  });

  it("a request that takes more calls gets them", async () => {
    lines = frames(wire, 300, (index) => nativeCall(wire, index));
    expect(ends(await ask(wire, {}, 300))).toHaveLength(300);
  });

  it("a broken stream names three of its incomplete calls", async () => {
    lines = [...frames(wire, 150, (index) => nativeCall(wire, index))].slice(0, -1);
    const last = (await ask(wire)).at(-1);
    if (wire === "ollama") expect(last).toMatchObject({ type: "model-error" });
    else expect(last).toMatchObject({ message: expect.stringContaining("look, look, look and 147 more.") });
  });
});

it.each([
  ["the same index", (index: number) => ({ index: 0, id: `c${index}` })],
  ["no index", (index: number) => ({ id: `c${index}` })],
])("pieces of an unkept call with %s do not reach a kept one", async (_title, marks) => {
  const piece = (index: number): object => {
    const call = Math.floor(index / 2);
    const begins = index % 2 === 0;
    const { id, ...key } = marks(call);
    const made = begins ? { name: "look", arguments: '{"path":' } : { arguments: `"f${call}"}` };
    return { tool_calls: [{ ...key, ...(begins ? { id } : {}), function: made }] };
  };
  lines = frames("openai", 500, piece);
  const events = await ask("openai");
  expect(ends(events).map((event) => "arguments" in event && event.arguments)).toEqual(
    Array.from({ length: 200 }, (_, call) => `{"path":"f${call}"}`),
  );
  expect(events.filter(({ type }) => type === "tool-call-error")).toMatchObject([{ calls: 50 }]);
});
