import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createLoadingWait } from "../src/http/loading-wait.ts";
import { defaultLimits } from "../src/http/patience.ts";
import { defaultRetryPolicy } from "../src/http/retry.ts";
import { createModel, createOpenaiChat } from "../src/index.ts";
import { type Fault, startFakeServer } from "./fake-server/index.ts";
import { collect, emptyRequest } from "./model-contract.ts";
import { createTestHttp, user } from "./test-request.ts";

const loading: Fault = {
  kind: "status",
  status: 503,
  body: { error: { code: 503, message: "Loading model", type: "unavailable_error" } },
};
const quick = { retry: { firstWaitMs: 1, maxWaitMs: 1 }, random: () => 0.5 };

function model(baseUrl: string, more: object = {}) {
  const base = { provider: "llamacpp", title: "llama.cpp", model: "fake-model", http: createTestHttp() };
  return createOpenaiChat({ ...base, ...quick, baseUrl, ...more });
}

describe("a server that loads its model", () => {
  it("is waited for longer than one that fails, and its message is shown once", async () => {
    await using server = await startFakeServer({ turns: [{ text: "hi", faults: Array(8).fill(loading) }] });
    const events = await collect(model(server.baseUrl), emptyRequest);
    expect(events.filter(({ type }) => type === "model-retry")).toEqual([
      {
        type: "model-retry",
        attempt: 1,
        waitMs: 1,
        message: `llama.cpp at ${server.baseUrl} answered 503: Loading model. Waiting until the model is loaded.`,
      },
    ]);
    expect(events).toContainEqual({ type: "text-delta", text: "hi" });
    expect(server.chats).toHaveLength(9);
  });

  it("is given up at the limit for a first token, and reported every 30 seconds until then", () => {
    const failure = { code: "server-error", message: "Loading model.", retryable: true } as const;
    const limits = { ...defaultLimits, firstTokenMs: 600_000 };
    const next = createLoadingWait({ limits, retry: defaultRetryPolicy, secrets: [] });
    const waits: number[] = [];
    let told = 0;
    for (let one = next.next(failure); one !== undefined; one = next.next(failure)) {
      waits.push(one.waitMs);
      if (one.told !== undefined) told += 1;
    }
    expect(waits.slice(0, 4)).toEqual([500, 1_000, 2_000, 2_000]);
    const waited = waits.reduce((sum, ms) => sum + ms, 0);
    expect(waited).toBeGreaterThanOrEqual(600_000);
    expect(waited).toBeLessThan(602_001);
    expect(told).toBe(20);
  });

  it("may crash while loading, which is an ordinary failure", async () => {
    const server = await startFakeServer({
      turns: [{ text: "hi", faults: [loading, loading, ...Array(9).fill({ kind: "hang-up" })] }],
    });
    const events = await collect(model(server.baseUrl), emptyRequest);
    await server[Symbol.asyncDispose]();
    expect(events.at(-1)).toMatchObject({ type: "model-error", code: "server-error" });
  });

  it("stops waiting at once when the person interrupts", async () => {
    await using server = await startFakeServer({ turns: [{ text: "hi", faults: Array(50).fill(loading) }] });
    const controller = new AbortController();
    const waiting = model(server.baseUrl, { retry: { firstWaitMs: 60_000 } });
    const events: string[] = [];
    for await (const event of waiting.stream(emptyRequest, controller.signal)) {
      events.push(event.type);
      controller.abort();
    }
    expect(events).toEqual(["model-retry", "model-error"]);
  });
});

interface Odd extends AsyncDisposable {
  readonly baseUrl: string;
  readonly paths: readonly string[];
}

/** Reports on every path that it is loading for a while, then serves one model. */
async function slowStarter(refusals: number): Promise<Odd> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    response.setHeader("content-type", "application/json");
    if (paths.length <= refusals) {
      response.writeHead(503).end(JSON.stringify(loading.kind === "status" ? loading.body : {}));
    } else if (request.url?.endsWith("/models") === true) {
      response.end(JSON.stringify({ data: [{ id: "m", owned_by: "llamacpp", meta: { n_ctx: 4_096 } }] }));
    } else response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    paths,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

describe("without a model's name", () => {
  const opened: Odd[] = [];
  afterEach(async () => {
    for (const server of opened.splice(0)) await server[Symbol.asyncDispose]();
  });

  it.each([
    ["the usual limit", {}],
    ["no limit", { firstTokenMs: 0 }],
  ])("a loading server is waited for if whileLoading is given, with %s", async (_, limits) => {
    const server = await slowStarter(2);
    opened.push(server);
    const told: string[] = [];
    const selected = await createModel({
      baseUrl: server.baseUrl,
      environment: {},
      limits,
      whileLoading: (message) => told.push(message),
    });
    expect(told).toEqual([
      `custom at ${server.baseUrl}: ${server.baseUrl}/models answered 503: Loading model. Waiting until the model is loaded.`,
    ]);
    expect(selected).toMatchObject({ provider: "llamacpp", contextWindow: 4_096 });
  });

  it("else the error message says that it is loading", async () => {
    const server = await slowStarter(9);
    opened.push(server);
    await expect(createModel({ baseUrl: server.baseUrl, environment: {} })).rejects.toThrow(
      'is still loading its model ("Loading model")',
    );
  });
});

describe("after an answer without success", () => {
  it("the connection is closed: the server may have left the request unread", async () => {
    const connections = new Set<unknown>();
    const server = createServer((request, response) => {
      connections.add(request.socket);
      // The body stays unread.
      response.writeHead(connections.size === 1 ? 503 : 400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: "busy" }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const request = { ...emptyRequest, messages: [user("x".repeat(3_000_000))] };
    const end = (await collect(model(`http://127.0.0.1:${port}/v1`), request)).at(-1);
    server.close();
    expect(end).toMatchObject({ type: "model-error", code: "bad-request" });
    expect(connections.size).toBe(2);
  });
});
