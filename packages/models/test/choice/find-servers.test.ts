import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { ollamaOrigin } from "../../src/choice/find-servers.ts";
import { defaultPlaces, findServers, type PossiblePlace } from "../../src/index.ts";
import { startFakeServer } from "../fake-server/index.ts";
import { createTestHttp } from "../test-request.ts";

describe("defaultPlaces", () => {
  it("are the known ports of this machine", () => {
    expect(defaultPlaces()).toEqual([
      { provider: "ollama", baseUrl: "http://127.0.0.1:11434" },
      { provider: "lmstudio", baseUrl: "http://127.0.0.1:1234/v1" },
      { provider: "llamacpp", baseUrl: "http://127.0.0.1:8080/v1" },
      { provider: "vllm", baseUrl: "http://127.0.0.1:8000/v1" },
      { provider: "sglang", baseUrl: "http://127.0.0.1:30000/v1" },
      { provider: "koboldcpp", baseUrl: "http://127.0.0.1:5001/v1" },
      { provider: "jan", baseUrl: "http://127.0.0.1:1337/v1" },
      { provider: "gpt4all", baseUrl: "http://127.0.0.1:4891/v1" },
    ]);
  });

  it.each([
    ["0.0.0.0", "http://127.0.0.1:11434"],
    ["gpu-box:9000", "http://gpu-box:9000"],
    [":5000", "http://127.0.0.1:5000"],
    ["https://ollama.example", "https://ollama.example"],
    ["http://[::]:7", "http://127.0.0.1:7"],
    ["gpu-box", "http://gpu-box:11434"],
    ["gpu-box:80", "http://gpu-box"],
    ["httpbox", "http://httpbox:11434"],
    ["[::1]", "http://[::1]:11434"],
    ["", undefined],
    ["::bad::", undefined],
  ])("read OLLAMA_HOST %j as %j", (value, origin) => {
    expect(ollamaOrigin(value)).toBe(origin);
  });
});

describe("findServers", () => {
  it("finds what runs, with what its models can, and leaves out what does not answer", async () => {
    await using ollama = await startFakeServer({
      turns: [],
      models: [
        { name: "qwen3:8b", capabilities: ["completion", "tools"], contextLength: 40_960, template: "T" },
        { name: "phi:2b", capabilities: ["completion"], contextLength: 2048, runningContext: 1024 },
        { name: "nomic-embed-text", capabilities: ["embedding"], contextLength: 2048 },
        { name: "untold:7b", capabilities: [], contextLength: 2048, template: "U" },
      ],
    });
    await using vllm = await startFakeServer({
      turns: [],
      models: [{ name: "served", contextLength: 8192 }],
    });
    const { servers, silent } = await findServers({
      http: createTestHttp(),
      limitMs: 2_000,
      places: [
        { provider: "ollama", baseUrl: ollama.origin },
        { provider: "llamacpp", baseUrl: "http://127.0.0.1:9/v1" },
        { provider: "vllm", baseUrl: vllm.baseUrl },
      ],
    });
    expect(silent).toEqual([{ provider: "llamacpp", baseUrl: "http://127.0.0.1:9/v1" }]);
    expect(servers).toEqual([
      {
        provider: "ollama",
        title: "Ollama",
        baseUrl: ollama.origin,
        models: [
          {
            name: "phi:2b",
            sizeBytes: 1,
            canSee: false,
            loaded: true,
            chats: true,
            canCallTools: false,
            template: "",
            contextWindow: 1024,
            maxContext: 2048,
          },
          {
            name: "qwen3:8b",
            sizeBytes: 1,
            canSee: false,
            loaded: false,
            chats: true,
            canCallTools: true,
            template: "T",
            contextWindow: 40_960,
            maxContext: 40_960,
          },
          {
            name: "nomic-embed-text",
            sizeBytes: 1,
            canSee: false,
            loaded: false,
            chats: false,
            canCallTools: false,
            template: "",
            contextWindow: 2048,
            maxContext: 2048,
          },
          {
            name: "untold:7b",
            sizeBytes: 1,
            loaded: false,
            chats: true,
            template: "U",
            contextWindow: 2048,
            maxContext: 2048,
          },
        ],
      },
      {
        provider: "vllm",
        title: "vLLM",
        baseUrl: vllm.baseUrl,
        models: [{ name: "served", loaded: true, isLoadedAssumed: true, chats: true, contextWindow: 8192 }],
      },
    ]);
  });

  it("waits longer for a place that the person has named", async () => {
    const held: ServerResponse[] = [];
    const slow = createServer((_request, response) => void held.push(response));
    await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
    const place = {
      provider: "vllm" as const,
      baseUrl: `http://127.0.0.1:${(slow.address() as AddressInfo).port}/v1`,
    };
    const find = (one: PossiblePlace) => findServers({ http: createTestHttp(), limitMs: 50, places: [one] });
    const answers = [find(place), find({ ...place, named: true })] as const;
    // The server answers after the usual time limit.
    const usual = await answers[0];
    const answerAll = () => {
      for (const response of held.splice(0)) response.end('{"data":[{"id":"far"}]}');
    };
    answerAll();
    slow.on("request", answerAll);
    const named = await answers[1];
    expect([usual.servers.length, named.servers.length]).toEqual([0, 1]);
    slow.closeAllConnections();
    slow.close();
  });

  it.each([
    ["ollama", "/api/tags", undefined, "No key was sent: set it in OLLAMA_API_KEY or the key file."],
    ["vllm", "/v1/models", "another", "Check the key in VLLM_API_KEY or the key file."],
  ] as const)("says that %s wants another key than it got", async (provider, path, key, advice) => {
    await using server = await startFakeServer({ turns: [], key: "k-123456" });
    const baseUrl = (provider === "ollama" ? server.origin : server.baseUrl).replace("//", "//me:hunter2@");
    const { silent } = await findServers({
      http: createTestHttp(),
      limitMs: 2_000,
      places: [{ provider, baseUrl }],
      key: () => key,
    });
    expect(silent).toEqual([
      { provider, baseUrl, reason: `${server.origin}${path} answered 401. ${advice}` },
    ]);
  });

  it("does not mistake another web server for a model server, and waits at most for its limit", async () => {
    const page = createServer((_request, response) => response.end("<html></html>"));
    const silent = createServer(() => {});
    const stuck = createServer((_request, response) => void response.write('{"data":['));
    const servers = [page, silent, stuck];
    for (const server of servers)
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const at = (server: typeof page) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const found = await findServers({
      http: createTestHttp(),
      limitMs: 100,
      places: servers.map((server) => ({ provider: "llamacpp" as const, baseUrl: at(server) })),
    });
    expect(found.servers).toEqual([]);
    expect(found.silent.map(({ reason }) => reason)).toEqual([
      `${at(page)}/models answered 200, but not with a list of models.`,
      `${at(silent)}/models gave no answer within 100 ms.`,
      `${at(stuck)}/models gave no answer within 100 ms.`,
    ]);
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe("an Ollama server whose list says what its models can", () => {
  it("is asked for details only if its list has too few", async () => {
    const listsDetails = true;
    await using ollama = await startFakeServer({
      turns: [],
      models: [
        { name: "nomic", capabilities: ["embedding"], contextLength: 2_048, listsDetails },
        { name: "qwen3:8b", contextLength: 40_960, template: "T", listsDetails },
        { name: "llama3:8b", contextLength: 8_192, template: "U", listsDetails },
        { name: "phi:2b", capabilities: ["completion"], contextLength: 2_048, template: "V", listsDetails },
        { name: "older:7b", capabilities: ["completion", "vision"], contextLength: 4_096, template: "W" },
      ],
    });
    const places: PossiblePlace[] = [{ provider: "ollama", baseUrl: ollama.origin }];
    const { servers } = await findServers({ http: createTestHttp(), limitMs: 2_000, places });
    const shown = ollama.log.filter(({ path }) => path === "/api/show").map(({ body }) => body?.["model"]);
    expect(shown).toEqual(["qwen3:8b", "phi:2b", "older:7b"]);
    expect(servers[0]?.models).toMatchObject([
      { name: "nomic", chats: false, canCallTools: false, canSee: false },
      { name: "qwen3:8b", chats: true, canCallTools: true, maxContext: 40_960, template: "T" },
      { name: "llama3:8b", chats: true, canCallTools: true, maxContext: 8_192 },
      { name: "phi:2b", chats: true, canCallTools: false, maxContext: 2_048, template: "V" },
      { name: "older:7b", chats: true, canSee: true, maxContext: 4_096, template: "W" },
    ]);
  });
});

describe("a server at the port of another one", () => {
  it.each([
    ["custom", "llamacpp"],
    ["koboldcpp", "llamacpp"],
    ["jan", "llamacpp"],
    ["vllm", "vllm"],
  ] as const)("that says it is llama.cpp: %s is %s", async (provider, expected) => {
    const list = { data: [{ id: "m", object: "model", owned_by: "llamacpp" }] };
    const server = createServer((_request, response) => response.end(JSON.stringify(list)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const { servers } = await findServers({
      http: createTestHttp(),
      places: [{ provider, baseUrl }],
      limitMs: 2_000,
    });
    expect(servers.map((one) => one.provider)).toEqual([expected]);
    server.closeAllConnections();
    server.close();
  });
});
