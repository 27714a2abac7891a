import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@localharness/protocol";
import { describe, expect, it } from "vitest";
import { createOpenaiChat } from "../../../src/index.ts";
import { readFacts, readProps } from "../../../src/wire/openai/props.ts";
import { collect } from "../../model-contract.ts";
import { createTestHttp, lsTool, user } from "../../test-request.ts";

const withTools = "{% for tool in tools %}{{ tool.function.name }}{% endfor %}";

describe("what /props says", () => {
  it.each<readonly [value: JsonObject, facts: object | undefined]>([
    [{}, undefined],
    [{ chat_template: 7 }, undefined],
    [{ chat_template: withTools }, { template: withTools }],
    [{ chat_template: "", default_generation_settings: {} }, {}],
    [
      { default_generation_settings: { n_ctx: 4_096 }, total_slots: 4 },
      { contextWindow: 4_096, slots: 4 },
    ],
    [{ default_generation_settings: { n_ctx: "4096" }, total_slots: -1 }, {}],
    [
      { chat_template: withTools, modalities: { vision: false } },
      { template: withTools, canSee: false },
    ],
    [{ chat_template: withTools, modalities: null }, { template: withTools }],
    [
      { chat_template: withTools, chat_template_caps: { supports_tools: false } },
      { template: withTools, capabilities: { supports_tools: false } },
    ],
    [{ chat_template: "x".repeat(262_145), default_generation_settings: {} }, {}],
  ])("%#", (value, facts) => {
    expect(readFacts(value)).toEqual(facts);
  });
});

interface Scripted extends AsyncDisposable {
  readonly baseUrl: string;
  readonly bodies: JsonObject[];
  asked: number;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Answers `/props` with `props`, the first chats with `refusals`, and each other chat with one word. */
async function serve(props: (asked: number) => Answer, refusals: readonly Answer[] = []): Promise<Scripted> {
  const bodies: JsonObject[] = [];
  const scripted = { bodies, asked: 0 };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      if (request.url?.startsWith("/props")) {
        scripted.asked += 1;
        const { status, text } = props(scripted.asked);
        response.writeHead(status, { "content-type": "application/json" }).end(text);
        return;
      }
      bodies.push(JSON.parse(body));
      const refusal = refusals[bodies.length - 1];
      if (refusal !== undefined) {
        response.writeHead(refusal.status, { "content-type": "application/json" }).end(refusal.text);
        return;
      }
      const choice = { index: 0, delta: { content: "hi" }, finish_reason: "stop" };
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(scripted, {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}

function adapter(baseUrl: string) {
  const http = createTestHttp();
  return createOpenaiChat({ provider: "custom", title: "T", model: "m", http, factsHttp: http, baseUrl });
}

const request = { messages: [{ role: "system" as const, content: "S" }, user("q")], tools: [lsTool] };
const json = (value: unknown) => ({ status: 200, text: JSON.stringify(value) });

describe("an adapter that may ask for facts", () => {
  it.each([
    ["missing", { status: 404, text: "{}" }],
    ["forbidden", { status: 403, text: "{}" }],
    ["a page", { status: 200, text: "<html>" }],
    ["empty", { status: 200, text: "" }],
    ["a list", { status: 200, text: "[]" }],
    ["huge", { status: 200, text: " ".repeat(2 * 1_024 * 1_024) }],
  ])("goes on without facts where /props is %s, and asks once", async (_, answer) => {
    await using server = await serve(() => answer);
    const model = adapter(server.baseUrl);
    for (const _again of [1, 2]) expect((await collect(model, request)).at(-1)?.type).toBe("model-end");
    expect(server.asked).toBe(1);
    expect(server.bodies[0]?.["tools"]).toHaveLength(1);
  });

  it("asks again while the server is loading", async () => {
    await using server = await serve((asked) =>
      asked < 3
        ? { status: 503, text: "{}" }
        : json({ chat_template: "{{ tools }}{{ tool_calls }} System role not supported" }),
    );
    const model = adapter(server.baseUrl);
    for (const _again of [1, 2, 3]) await collect(model, { ...request, tools: [] });
    expect(server.asked).toBe(3);
    const roles = server.bodies.map((body) => JSON.stringify(body["messages"]).includes('"system"'));
    expect(roles).toEqual([true, true, false]);
  });

  it.each<readonly [string, Answer, number]>([
    ["there were facts", json({ chat_template: "{{ tools }}{{ tool_calls }}" }), 2],
    ["the server was loading", { status: 503, text: "{}" }, 2],
    ["the server reports none", { status: 404, text: "{}" }, 1],
  ])("asks again after a refusal or not, if before %s", async (_, first, asked) => {
    const refusal = { status: 400, text: '{"error":"raise_exception at row 1, column 2"}' };
    await using server = await serve(
      (count) => (count === 1 ? first : json({ chat_template: "{{ messages }}" })),
      [refusal],
    );
    const events = await collect(adapter(server.baseUrl), request);
    expect(server.asked).toBe(asked);
    expect(events.at(-1)).toMatchObject(asked === 1 ? { type: "model-end" } : { code: "tools-unsupported" });
  });

  it("declines tools without a request if the template does not support them", async () => {
    await using server = await serve(() => json({ chat_template: "{{ messages }}" }));
    expect((await collect(adapter(server.baseUrl), request)).at(-1)).toMatchObject({
      type: "model-error",
      code: "tools-unsupported",
    });
    expect(server.bodies).toEqual([]);
  });
});

describe("readProps", () => {
  it("returns later if nothing listens", async () => {
    expect(await readProps(createTestHttp(), "http://127.0.0.1:9/v1", undefined, "m", 1_000)).toEqual({
      kind: "later",
    });
  });
});
