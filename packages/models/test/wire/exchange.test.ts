import type { ModelEvent } from "@localharness/protocol";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Fault, type Scenario, startFakeServer } from "../fake-server/index.ts";
import { collect, emptyRequest } from "../model-contract.ts";
import { lastOf, openai, types, wires } from "../open-wires.ts";

const statuses = [
  { status: 400, body: { error: "bad" }, code: "bad-request", requests: 1 },
  {
    status: 400,
    body: { error: { message: "maximum context length is 8192 tokens" } },
    code: "context-overflow",
    requests: 1,
  },
  {
    status: 400,
    body: { error: "request (9000 tokens) exceeds the available context size (8192 tokens)" },
    code: "context-overflow",
    requests: 1,
  },
  { status: 400, body: { error: "m does not support tools" }, code: "tools-unsupported", requests: 1 },
  { status: 401, body: { error: "no" }, code: "unauthorized", requests: 1 },
  { status: 403, body: {}, code: "unauthorized", requests: 1 },
  { status: 404, body: { error: "model 'x' not found" }, code: "model-not-found", requests: 1 },
  { status: 408, body: {}, code: "server-error", requests: 4 },
  { status: 422, body: { detail: "unprocessable" }, code: "bad-request", requests: 1 },
  { status: 429, body: { error: "slow down" }, code: "rate-limited", requests: 4 },
  { status: 500, body: { error: "boom" }, code: "server-error", requests: 4 },
  { status: 502, body: "oops", code: "server-error", requests: 4 },
  { status: 503, body: { message: "busy" }, code: "server-error", requests: 4 },
  { status: 529, body: {}, code: "server-error", requests: 4 },
] as const;

describe("a status", () => {
  for (const wire of wires) {
    it.each(statuses)(`$status becomes $code after $requests requests (${wire.name})`, async (row) => {
      const fault: Fault = { kind: "status", status: row.status, body: row.body };
      await using server = await startFakeServer({ turns: [{ text: "x", faults: Array(9).fill(fault) }] });
      const events = await collect(wire.connect(server), emptyRequest);
      expect(server.chats.length).toBe(row.requests);
      expect(types(events)).toEqual([...Array(row.requests - 1).fill("model-retry"), "model-error"]);
      expect(lastOf(events)).toMatchObject({ code: row.code, status: row.status });
    });
  }
});

describe("retries", () => {
  it("go on until the server recovers, each visible with its wait", async () => {
    const busy: Fault = { kind: "status", status: 503, body: { error: "busy" } };
    await using server = await startFakeServer({
      turns: [{ text: "hi", faults: [{ kind: "hang-up" }, busy] }],
    });
    const events = await collect(openai(server.baseUrl), emptyRequest);
    expect(events.slice(0, 2)).toEqual([
      {
        type: "model-retry",
        attempt: 1,
        waitMs: 5,
        message: `${server.origin} closed the connection before the answer was complete. Trying again now (2 of 4).`,
      },
      {
        type: "model-retry",
        attempt: 2,
        waitMs: 10,
        message: `Test at ${server.baseUrl} answered 503: busy. Trying again now (3 of 4).`,
      },
    ]);
    expect(types(events).slice(2)).toEqual(["text-delta", "model-end"]);
  });

  it("do not count a kept connection that the server has closed", async () => {
    await using server = await startFakeServer({ turns: [{ text: "hi" }] });
    const model = openai(server.baseUrl);
    await collect(model, emptyRequest);
    server.use({ turns: [{ text: "hi", faults: [{ kind: "hang-up" }] }] });
    expect(types(await collect(model, emptyRequest))).toEqual(["text-delta", "model-end"]);
    expect(server.chats.length).toBe(2);
  });

  const asked = [
    { header: "0", waitMs: 0 },
    { header: "0.04", waitMs: 40 },
    { header: "-5", waitMs: 5 },
    { header: "soon", waitMs: 5 },
    { header: "0.02", waitMs: 20 },
  ];
  it.each(asked)("wait $waitMs ms for Retry-After $header", async ({ header, waitMs }) => {
    const fault: Fault = { kind: "status", status: 429, headers: { "retry-after": header } };
    await using server = await startFakeServer({ turns: [{ text: "hi", faults: [fault] }] });
    const [first] = await collect(openai(server.baseUrl), emptyRequest);
    expect(first).toMatchObject({ type: "model-retry", waitMs });
  });

  it.each([
    { header: "7200", said: "The server asks to wait 120 min 0 s; at most 40 ms are waited." },
    { header: "0.05", said: "The server asks to wait 50 ms; at most 40 ms are waited." },
  ])("do not happen for Retry-After $header, which is too long to wait", async ({ header, said }) => {
    for (const wire of wires) {
      const fault: Fault = { kind: "status", status: 429, headers: { "retry-after": header } };
      await using server = await startFakeServer({ turns: [{ text: "hi", faults: [fault] }] });
      const events = await collect(wire.connect(server), emptyRequest);
      expect(types(events)).toEqual(["model-error"]);
      expect(lastOf(events)).toMatchObject({ code: "rate-limited", status: 429 });
      expect(lastOf(events).message).toContain(said);
      expect(lastOf(events).message).toContain("Send the message again after that time");
      expect(server.chats.length).toBe(1);
    }
  });

  it("do not happen after the first token", async () => {
    for (const wire of wires) {
      await using server = await startFakeServer({
        turns: [{ text: "a text of several deltas", faults: [{ kind: "drop", afterEvents: 2 }] }],
      });
      const events = await collect(wire.connect(server), emptyRequest);
      expect(types(events)).toEqual(["text-delta", "model-error"]);
      expect(lastOf(events)).toMatchObject({ code: "server-error", retryable: true });
      expect(server.chats.length).toBe(1);
    }
  });

  it("happen when the stream breaks before its first token", async () => {
    await using server = await startFakeServer({
      turns: [{ text: "hi", faults: [{ kind: "drop", afterEvents: 1 }] }],
    });
    const events = await collect(openai(server.baseUrl), emptyRequest);
    expect(types(events)).toEqual(["model-retry", "text-delta", "model-end"]);
  });
});

describe("a broken stream", () => {
  const call = { calls: [{ name: "write_file", arguments: { path: "a.txt", content: "x".repeat(200) } }] };
  const faults: readonly Fault[] = [
    { kind: "drop", afterEvents: 6 },
    { kind: "end", afterEvents: 6 },
    { kind: "garbage", afterEvents: 6, text: "data: {" },
    { kind: "error-line", afterEvents: 6, message: "cuda out of memory" },
  ];
  it.each(faults)("ends no call when it breaks inside its arguments ($kind)", async (fault) => {
    await using server = await startFakeServer({ turns: [{ ...call, faults: [fault] }] });
    const events = await collect(openai(server.baseUrl), emptyRequest);
    expect(types(events)).toEqual(["tool-call-start", "tool-call-delta", "model-error"]);
    if (fault.kind === "drop" || fault.kind === "end") {
      expect(lastOf(events).message).toContain("Incomplete calls, not run: write_file");
    }
  });
});

describe("limits", () => {
  const slow: readonly { title: string; fault: Fault; limits: object; message: string }[] = [
    {
      title: "headers that never come",
      fault: { kind: "hold" },
      limits: { firstTokenMs: 60 },
      message: "no token within 0.1 s",
    },
    {
      title: "keep-alive without a token",
      fault: { kind: "pings", afterEvents: 1, everyMs: 10 },
      limits: { firstTokenMs: 60 },
      message: "no token within",
    },
    {
      title: "silence between tokens",
      fault: { kind: "stall", afterEvents: 3 },
      limits: { betweenTokensMs: 60 },
      message: "stopped sending: no token for 0.1 s",
    },
    {
      title: "keep-alive between tokens",
      fault: { kind: "pings", afterEvents: 3, everyMs: 10 },
      limits: { betweenTokensMs: 60 },
      message: "stopped sending",
    },
  ];
  it.each(slow)("end $title as a retryable timeout", async ({ fault, limits, message }) => {
    await using server = await startFakeServer({
      turns: [{ text: "a text of several deltas", faults: [fault] }],
    });
    const events = await collect(openai(server.baseUrl, { limits, retry: { tries: 1 } }), emptyRequest);
    expect(lastOf(events)).toMatchObject({ code: "timeout", retryable: true });
    expect(lastOf(events).message).toContain(message);
  });

  it.each<Fault>([{ kind: "hold" }, { kind: "pings", afterEvents: 0, everyMs: 10 }])(
    "are waited for twice at most when no token ever comes ($kind)",
    async (fault) => {
      await using server = await startFakeServer({ turns: [{ text: "x", faults: [fault, fault, fault] }] });
      const options = { limits: { firstTokenMs: 60 }, retry: { firstWaitMs: 1 } };
      const events = await collect(openai(server.baseUrl, options), emptyRequest);
      expect(types(events)).toEqual(["model-retry", "model-error"]);
      expect(lastOf(events)).toMatchObject({ code: "timeout", retryable: true });
      expect(server.chats).toHaveLength(2);
    },
  );

  it("do not limit the whole answer: tokens that keep coming may take longer than any limit", async () => {
    await using server = await startFakeServer({
      turns: [{ text: "x".repeat(60), everyMs: 1, deltaChars: 2 }],
    });
    // The test controls the clock: three quarters of a limit pass with each token.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const limits = { firstTokenMs: 400, betweenTokensMs: 400 };
    let tokens = 0;
    const model = openai(server.baseUrl, { limits });
    const events = await collect(model, emptyRequest, undefined, ({ type }) => {
      if (type !== "text-delta") return;
      tokens += 1;
      vi.advanceTimersByTime(300);
    });
    expect(types(events)).toEqual(["text-delta", "model-end"]);
    expect(tokens).toBeGreaterThan(10);
  });

  it("let a server keep the connection open after a complete answer", async () => {
    await using server = await startFakeServer({
      turns: [{ text: "hi", faults: [{ kind: "stall", afterEvents: 3 }], withoutDone: true }],
    });
    const model = openai(server.baseUrl, { limits: { betweenTokensMs: 10_000 } });
    const events = await collect(model, emptyRequest);
    expect(types(events)).toEqual(["text-delta", "model-end"]);
  });
});

describe("an abort", () => {
  /** Each limit is minutes at least, so that only the abort can end the stream within the test. */
  type Moment = { title: string; scenario: Scenario; after: "request" | ModelEvent["type"]; retry?: object };
  const moments: readonly Moment[] = [
    { title: "before the headers", scenario: { turns: [{ faults: [{ kind: "hold" }] }] }, after: "request" },
    {
      title: "between tokens",
      scenario: { turns: [{ text: "hello there you", faults: [{ kind: "stall", afterEvents: 2 }] }] },
      after: "text-delta",
    },
    {
      title: "while tokens come",
      scenario: { turns: [{ text: "x".repeat(400_000), everyMs: 5 }] },
      after: "text-delta",
    },
    {
      title: "while waiting to try again",
      scenario: { turns: [{ faults: [{ kind: "status", status: 503 }] }] },
      after: "model-retry",
      retry: { firstWaitMs: 3_600_000, maxWaitMs: 3_600_000 },
    },
  ];
  it.each(moments)("$title ends the stream at once and frees the server", async (row) => {
    await using server = await startFakeServer(row.scenario);
    const controller = new AbortController();
    const model = openai(server.baseUrl, row.retry ? { retry: row.retry } : {});
    const answer = collect(model, emptyRequest, controller.signal, ({ type }) => {
      if (type === row.after) controller.abort();
    });
    await expect.poll(() => server.chats).toHaveLength(1);
    if (row.after === "request") controller.abort();
    const events = await answer;
    expect(lastOf(events)).toMatchObject({ code: "aborted", retryable: false });
    await expect.poll(() => server.chats.every((chat) => chat.closedAt !== undefined)).toBe(true);
  });

  it("before the start sends nothing", async () => {
    await using server = await startFakeServer({ turns: [{ text: "hi" }] });
    const events = await collect(openai(server.baseUrl), emptyRequest, AbortSignal.abort());
    expect(lastOf(events).code).toBe("aborted");
    expect(server.log.length).toBe(0);
  });

  it("by a reader that stops early closes the connection", async () => {
    await using server = await startFakeServer({ turns: [{ text: "x".repeat(4000), everyMs: 5 }] });
    for await (const event of openai(server.baseUrl).stream(emptyRequest, new AbortController().signal)) {
      if (event.type === "text-delta") break;
    }
    await expect.poll(() => server.chats[0]?.abandoned).toBe(true);
  });
});
