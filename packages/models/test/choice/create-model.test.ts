import { mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createModel, type ModelSelection } from "../../src/index.ts";
import { startFakeServer } from "../fake-server/index.ts";
import { collect } from "../model-contract.ts";
import { lsTool, user } from "../test-request.ts";

const request = { messages: [user("hi")], tools: [lsTool] };

function select(more: Partial<ModelSelection>) {
  return createModel({ environment: {}, findMs: 3_000, ...more });
}

describe("createModel", () => {
  it("uses the given provider, model and address, and sends nothing before the first message", async () => {
    await using server = await startFakeServer({ turns: [{ text: "hi" }] });
    const chosen = await select({
      provider: "ollama",
      model: "fake-model",
      baseUrl: `${server.origin}/v1/`,
      numCtx: 2048,
    });
    expect(server.log.length).toBe(0);
    expect(chosen).toMatchObject({
      provider: "ollama",
      baseUrl: server.origin,
      contextWindow: 2048,
      reason: `Using fake-model of Ollama at ${server.origin}, as configured.`,
    });
    const events = await collect(chosen.model, request);
    expect(events.at(-1)).toEqual({ type: "model-end", stopReason: "stop" });
    await collect(chosen.model, request);
    // The facts about the model are asked for once.
    expect(server.log.map((one) => one.path)).toEqual(["/api/show", "/api/chat", "/api/chat"]);
    expect(server.chats[0]?.body).toMatchObject({ options: { num_ctx: 2048 } });
  });

  it("treats an address without a provider as an OpenAI-compatible server, with a key from the environment", async () => {
    await using server = await startFakeServer({ turns: [{ text: "hi" }], key: "k-123456" });
    const environment = { LOCALHARNESS_API_KEY: "k-123456" };
    const chosen = await createModel({
      environment,
      model: "fake-model",
      baseUrl: server.baseUrl,
      numPredict: 7,
    });
    expect(chosen.provider).toBe("custom");
    expect(chosen.reason).toContain("key from LOCALHARNESS_API_KEY");
    expect((await collect(chosen.model, request)).at(-1)?.type).toBe("model-end");
    expect(server.chats[0]?.body).toMatchObject({ max_tokens: 7 });
  });

  it("finds what runs when nothing is configured, and keeps the context of a loaded model", async () => {
    const models = [
      { name: "big:70b", capabilities: ["completion", "tools"], contextLength: 100_000 },
      {
        name: "warm:8b",
        capabilities: ["completion", "tools"],
        contextLength: 100_000,
        runningContext: 12_000,
      },
      {
        name: "short:8b",
        capabilities: ["completion", "tools"],
        contextLength: 12_345,
        runningContext: 4096,
      },
    ];
    await using server = await startFakeServer({ turns: [{ text: "hi" }], models });
    const places = [{ provider: "ollama" as const, baseUrl: server.origin }];
    const chosen = await select({ places });
    expect(chosen).toMatchObject({ provider: "ollama", contextWindow: 12_000 });
    expect(chosen.model.name).toBe("warm:8b");
    expect(chosen.reason).toContain(
      "it is loaded already; its server says that it calls tools natively. 2 others found",
    );
    const named = await select({ places, model: "big:70b" });
    expect(named).toMatchObject({ contextWindow: 16_384 });
    expect(named.model.name).toBe("big:70b");
    expect(named.reason).toBe(`Using big:70b of Ollama at ${server.origin}, as configured.`);
    expect(await select({ places, model: "short:8b" })).toMatchObject({ contextWindow: 12_345 });
  });

  it("gives tools natively to a found model of a server that does not say what its models can", async () => {
    const model = { name: "m", capabilities: [], template: "{{ .Tools }}{{ .ToolCalls }}{{ .Prompt }}" };
    await using server = await startFakeServer({ turns: [{ text: "hi" }], models: [model] });
    const chosen = await select({ places: [{ provider: "ollama", baseUrl: server.origin }] });
    expect(chosen.reason).not.toContain("native tool calls");
    expect((await collect(chosen.model, request)).at(-1)?.type).toBe("model-end");
    expect(server.chats[0]?.body?.["tools"]).toHaveLength(1);
  });

  it("writes calls as text for a found model whose template wants null beside calls", async () => {
    const template =
      "{% if message.role == 'assistant' and message.content is none %}{{ message.tool_calls }}{% endif %}";
    const model = { name: "m", capabilities: ["completion", "tools"], template };
    await using server = await startFakeServer({ turns: [{ text: "hi" }], models: [model] });
    const chosen = await select({ places: [{ provider: "ollama", baseUrl: server.origin }] });
    await collect(chosen.model, request);
    expect(server.chats[0]?.body?.["tools"]).toBeUndefined();
  });

  it("takes num_ctx for the window of a local server that tells none", async () => {
    const model = { name: "fake-model", capabilities: ["completion", "tools"] };
    await using silent = await startFakeServer({ turns: [{ text: "hi" }], models: [model] });
    await using telling = await startFakeServer({
      turns: [{ text: "hi" }],
      models: [{ ...model, contextLength: 2_048 }],
    });
    for (const more of [{ model: "fake-model" }, {}]) {
      const unknown = await select({ ...more, baseUrl: silent.baseUrl, numCtx: 4_096 });
      expect(unknown.contextWindow).toBe(4_096);
      expect(await unknown.model.contextWindow?.(10)).toBe(4_096);
      const told = await select({ ...more, baseUrl: telling.baseUrl, numCtx: 4_096 });
      expect(await told.model.contextWindow?.(10)).toBe(2_048);
    }
    const elsewhere = {
      provider: "custom",
      model: "m",
      baseUrl: "https://models.example.com/v1",
      numCtx: 4_096,
    };
    expect((await select(elsewhere)).contextWindow).toBeUndefined();
  });

  it("finds the model of a given server that runs just one", async () => {
    await using server = await startFakeServer({ turns: [{ text: "hi" }] });
    const chosen = await select({ baseUrl: server.baseUrl });
    expect(chosen.model.name).toBe("fake-model");
  });

  const keyed: readonly Partial<ModelSelection>[] = [
    {},
    { model: "fake-model", look: true },
    { provider: "vllm" },
    { provider: "ollama" },
  ];
  it.each(keyed)("sends the key when it looks for models: %j", async (selection) => {
    await using server = await startFakeServer({ turns: [{ text: "hi" }], key: "k-123456" });
    const baseUrl = selection.provider === "ollama" ? server.origin : server.baseUrl;
    const names = ["LOCALHARNESS_API_KEY", "VLLM_API_KEY", "OLLAMA_API_KEY"];
    const environment = Object.fromEntries(names.map((name) => [name, "k-123456"]));
    const chosen = await select({ ...selection, baseUrl, environment });
    expect((await collect(chosen.model, request)).at(-1)?.type).toBe("model-end");
    await expect(select({ ...selection, baseUrl })).rejects.toThrow(
      "answered 401. No key was sent: set it in",
    );
  });

  it("shows no password of an address", async () => {
    await using server = await startFakeServer({ turns: [{ text: "hi" }] });
    const baseUrl = server.baseUrl.replace("//", "//me:hunter2@");
    const found = [await select({ baseUrl }), await select({ baseUrl, model: "fake-model" })];
    for (const chosen of found) {
      expect(chosen).toMatchObject({ baseUrl, reason: expect.stringContaining(` at ${server.baseUrl}`) });
      expect(chosen.reason).not.toContain("hunter2");
      expect((await collect(chosen.model, request)).at(-1)?.type).toBe("model-end");
    }
    const wrong: readonly Partial<ModelSelection>[] = [
      { baseUrl, model: "none", look: true },
      { baseUrl: "http://me:hunter2@127.0.0.1:9/v1" },
      { baseUrl: "http://me:hunter2@no host/v1" },
      { baseUrl: "me:hunter2@127.0.0.1/v1" },
    ];
    for (const selection of wrong) {
      const message = await select(selection).catch((error: Error) => error.message);
      expect(message).toMatch(/127\.0\.0\.1|no host/);
      expect(message).not.toContain("hunter2");
    }
  });

  it.each([
    ["demo", "demo"],
    ["demo:hermes", "demo:hermes"],
    ["demo:text", "demo:ralph-lines"],
  ])("makes %s without a server", async (model, name) => {
    const chosen = await select({ model });
    expect(chosen).toMatchObject({ provider: "demo", baseUrl: "" });
    expect(chosen.model.name).toBe(name);
  });

  it("reads a provider before a slash, but only a known one", async () => {
    const chosen = await select({ model: "ollama/qwen3:8b" });
    expect(chosen).toMatchObject({ provider: "ollama", baseUrl: "http://127.0.0.1:11434" });
    expect(chosen.model.name).toBe("qwen3:8b");
    await expect(select({ model: "Qwen/Qwen3-8B", places: [] })).rejects.toMatchObject({
      code: "model-unknown",
    });
  });

  const mistakes: readonly { selection: Partial<ModelSelection>; code: string; message: string }[] = [
    {
      selection: { provider: "nobody" },
      code: "config-invalid",
      message: 'There is no provider "nobody". Known ones: ollama',
    },
    {
      selection: { provider: "olama" },
      code: "config-invalid",
      message: 'There is no provider "olama". Did you mean ollama?',
    },
    {
      selection: { provider: "xai", model: "grok-4" },
      code: "config-invalid",
      message: "xAI Grok wants a key and none was found: set XAI_API_KEY or GROK_API_KEY, or write",
    },
    {
      selection: { provider: "xai" },
      code: "config-invalid",
      message: "xAI Grok wants a key and none was found",
    },
    {
      selection: { provider: "xai", model: "grok-4", look: true },
      code: "config-invalid",
      message: "xAI Grok wants a key and none was found",
    },
    {
      selection: { provider: "custom", model: "m" },
      code: "config-invalid",
      message: "got none. Set it with --base-url.",
    },
    {
      selection: { model: "m", baseUrl: "localhost:80" },
      code: "config-invalid",
      message: 'got "localhost:80"',
    },
    {
      selection: { model: "demo:klingon" },
      code: "model-unknown",
      message: 'The demo has no style "klingon".',
    },
    {
      selection: { model: "demo", record: "/nonexistent/file" },
      code: "usage",
      message: "--record finds nothing to record",
    },
    {
      selection: { places: [{ provider: "ollama", baseUrl: "http://127.0.0.1:9" }] },
      code: "model-unknown",
      message: "No model server was found.",
    },
    {
      selection: { replay: "/nonexistent/file" },
      code: "config-invalid",
      message: "The recording /nonexistent/file cannot be read",
    },
  ];
  it.each(mistakes)("refuses $selection with one clear error", async ({ selection, code, message }) => {
    const error = await select(selection).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it("lists the available models when the named one is missing", async () => {
    await using server = await startFakeServer({ turns: [] });
    const places = [{ provider: "ollama" as const, baseUrl: server.origin }];
    await expect(select({ places, model: "qwen9" })).rejects.toThrow(
      `No running server has the model "qwen9". Ollama at ${server.origin} has: fake-model. With Ollama, get it with: ollama pull qwen9`,
    );
    for (const near of ["fake", "FAKE-MODEL:7b", "fakemodel"]) {
      await expect(select({ places, model: near })).rejects.toThrow(/Did you mean fake-model\?/);
    }
  });
});

describe("a recorded conversation", () => {
  const provider = [
    { provider: "ollama", path: (server: { origin: string }) => server.origin },
    { provider: "custom", path: (server: { origin: string }) => `${server.origin}/v1` },
  ];
  it.each(provider)("gives the same events offline ($provider)", async (row) => {
    const record = join(mkdtempSync(join(tmpdir(), "record-")), "session.jsonl");
    const environment = {
      LOCALHARNESS_API_KEY: "key-secret",
      OLLAMA_API_KEY: "key-secret",
      XAI_API_KEY: "other-secret",
    };
    const live: unknown[] = [];
    {
      await using server = await startFakeServer({
        key: "key-secret",
        turns: [
          {
            text: "I look. ü",
            calls: [{ name: "ls", arguments: { path: "." } }],
            writtenAs: "hermes",
            chunkBytes: 33,
            faults: [{ kind: "status", status: 503, body: { error: "busy, key-secret, other-secret" } }],
          },
          { text: "half", faults: [{ kind: "drop", afterEvents: 2 }] },
        ],
      });
      const base = { provider: row.provider, model: "fake-model", baseUrl: row.path(server), record };
      const { model } = await createModel({ environment, ...base, numCtx: 4000, retry: { firstWaitMs: 1 } });
      live.push(await collect(model, request));
      live.push(
        await collect(model, { ...request, messages: [user("a"), { role: "assistant", content: "b" }] }),
      );
    }
    expect(live[0]).toContainEqual(
      expect.objectContaining({ type: "tool-call-end", name: "ls", format: "hermes" }),
    );
    expect(statSync(record).mode & 0o777).toBe(0o600);
    expect(readFileSync(record, "utf8")).not.toMatch(/(key|other)-secret/);
    expect(JSON.stringify(live)).not.toMatch(/(key|other)-secret/);
    const replayed = await select({ replay: record });
    expect(replayed.provider).toBe("replay");
    const again = [await collect(replayed.model, request), await collect(replayed.model, request)];
    expect(withoutWaits(again)).toEqual(withoutWaits(live));
    expect((await collect(replayed.model, request)).at(-1)).toMatchObject({
      type: "model-error",
      code: "bad-response",
      message: expect.stringContaining("The recording holds 3 answers"),
    });
  });
});

function withoutWaits(answers: readonly unknown[]): unknown {
  return JSON.parse(JSON.stringify(answers, (key, value: unknown) => (key === "waitMs" ? 0 : value)));
}
