import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Model } from "@localharness/engine";
import { describe, expect, it } from "vitest";
import { type Fault, startFakeServer } from "./fake-server/index.ts";
import { collect, emptyRequest } from "./model-contract.ts";
import { key, lastOf, ollama, openai, types, wires } from "./open-wires.ts";
import { lsTool, user } from "./test-request.ts";

describe("a message", () => {
  it("names the address and how to start the server when nothing listens", async () => {
    const model = ollama("http://127.0.0.1:9", { startHint: "Start it with: ollama serve" });
    const last = lastOf(await collect(model, emptyRequest));
    expect(last.code).toBe("connection-refused");
    expect(last.message).toBe(
      "Nothing listens at http://127.0.0.1:9 (connection refused). Tried 4 times. Start it with: ollama serve",
    );
  });

  it("lists the available models when the model is unknown", async () => {
    const models = [{ name: "qwen3:8b" }, { name: "llama3.2:3b" }];
    await using server = await startFakeServer({ turns: [], models });
    const ask = async (model: Model) => lastOf(await collect(model, emptyRequest)).message;
    expect(await ask(ollama(server.origin))).toBe(
      `Ollama at ${server.origin} answered 404: model 'fake-model' not found. Models there: qwen3:8b, llama3.2:3b. Get this one with: ollama pull fake-model`,
    );
    expect(await ask(openai(server.baseUrl))).toContain("Models there: qwen3:8b, llama3.2:3b.");
  });

  it("says where to set a refused key, and never contains the key", async () => {
    await using server = await startFakeServer({ turns: [], key: "another" });
    const message = `wrong key ${key}`;
    const echo: Fault = { kind: "status", status: 401, body: { error: message } };
    await using echoing = await startFakeServer({ turns: [{ faults: [echo] }] });
    const options = { keyVariables: ["XAI_API_KEY", "GROK_API_KEY"] };
    const refused = lastOf(await collect(openai(server.baseUrl, options), emptyRequest));
    expect(refused.message).toContain("Check the key in XAI_API_KEY or GROK_API_KEY or the key file.");
    const echoed = lastOf(await collect(openai(echoing.baseUrl, options), emptyRequest));
    expect(echoed.message).toContain("wrong key [key hidden]");
  });

  it("says that a context is full and what to do", async () => {
    const fault: Fault = {
      kind: "status",
      status: 400,
      body: { error: "the prompt exceeds the context length" },
    };
    await using server = await startFakeServer({ turns: [{ faults: [fault] }] });
    const last = lastOf(await collect(ollama(server.origin, { numCtx: 2048 }), emptyRequest));
    expect(last).toMatchObject({ code: "context-overflow", retryable: false });
    expect(last.message).toContain("num_ctx 2048");
  });

  it("names the target of a redirect, and sends the key nowhere", async () => {
    const seen: string[] = [];
    const sink = createServer((request, response) => {
      seen.push(String(request.headers["authorization"]));
      response.end("{}");
    });
    await new Promise<void>((resolve) => sink.listen(0, "127.0.0.1", resolve));
    const location = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/v1`;
    const fault: Fault = { kind: "status", status: 307, headers: { location } };
    await using server = await startFakeServer({ turns: [{ faults: [fault, fault, fault, fault] }] });
    for (const wire of wires) {
      const last = lastOf(await collect(wire.connect(server), emptyRequest));
      expect(last).toMatchObject({ code: "bad-response", retryable: false, status: 307 });
      expect(last.message).toContain(`redirects to ${location}. Redirects are not followed`);
    }
    expect(seen).toEqual([]);
    sink.close();
  });

  it("says where to sign in if the server names an address", async () => {
    const signin_url = "https://ollama.com/connect?name=host";
    const fault: Fault = { kind: "status", status: 401, body: { error: "unauthorized", signin_url } };
    for (const wire of wires) {
      await using server = await startFakeServer({ turns: [{ faults: [fault] }] });
      const last = lastOf(await collect(wire.connect(server), emptyRequest));
      expect(last).toMatchObject({ code: "unauthorized", retryable: false });
      expect(last.message).toContain(`Sign in with a browser, then ask again: ${signin_url}`);
    }
  });

  it("reports a web page instead of JSON, with any status", async () => {
    for (const wire of wires) {
      await using server = await startFakeServer({ turns: [{ faults: [{ kind: "html" }] }] });
      expect(lastOf(await collect(wire.connect(server), emptyRequest)).message).toContain(
        "a web page instead of JSON",
      );
    }
  });
});

it("keeps one connection over several answers", async () => {
  for (const wire of wires) {
    await using server = await startFakeServer({
      turns: [{ text: "one" }, { text: "two" }, { text: "three" }],
    });
    const model = wire.connect(server);
    const messages = [user("go"), { role: "assistant" as const, content: "one" }, user("on")];
    await collect(model, { messages: [user("go")], tools: [lsTool] });
    await collect(model, { messages, tools: [lsTool] });
    const ports = new Set(server.chats.map((chat) => chat.clientPort));
    expect(ports.size).toBe(1);
  }
});

it("reads an answer that is cut into single bytes", async () => {
  for (const wire of wires) {
    await using server = await startFakeServer({
      turns: [
        {
          reasoning: "hm – so",
          text: "Grüße 世界 🌍",
          calls: [{ name: "ls", arguments: { path: "ü" } }],
          chunkBytes: 1,
        },
      ],
      lineEnd: "\r\n",
    });
    const events = await collect(wire.connect(server), emptyRequest);
    expect(events[0]).toEqual({ type: "reasoning-delta", text: "hm – so" });
    expect(events[1]).toEqual({ type: "text-delta", text: "Grüße 世界 🌍" });
    expect(types(events).at(-1)).toBe("model-end");
  }
});
