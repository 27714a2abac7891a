/** The settings about thoughts and sampling act, or the person is told that they cannot. */
import type { Model, ModelRequest } from "@localharness/engine";
import type { JsonObject, ModelEvent } from "@localharness/protocol";
import { afterAll, describe, expect, test } from "vitest";
import { createModel } from "../src/index.ts";
import { samplingFor } from "../src/request/sampling.ts";
import { type ThinkingPlace, wayFor } from "../src/request/thinking/ways.ts";
import type { Thinking } from "../src/wire/ollama/request.ts";
import { chunks, type Judgement, messagesIn, refuse, say, startJudgingServer } from "./judging-server.ts";
import { collect } from "./model-contract.ts";
import { user } from "./test-request.ts";

const server = await startJudgingServer();
afterAll(() => server.close());

async function connect(provider: string, think: Thinking, model = "m", sampling = {}): Promise<Model> {
  const baseUrl = provider === "ollama" ? server.address : `${server.address}/v1`;
  const selection = { provider, model, baseUrl, environment: {}, think, tuned: () => ({ sampling }) };
  return (await createModel(selection)).model;
}

const request: ModelRequest = { messages: [{ role: "system", content: "S" }, user("q")], tools: [] };
const notices = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === "model-retry" ? [event.message] : []));
const field = (name: string) => server.sent.at(-1)?.[name];
const done = (message: JsonObject) => `${JSON.stringify({ message, done: true })}\n`;

const template = (on: boolean, level?: string) => ({
  chat_template_kwargs: {
    enable_thinking: on,
    thinking: on,
    ...(level === undefined ? {} : { reasoning_effort: level }),
  },
  ...(level === undefined ? {} : { reasoning_effort: level }),
});

describe("the field of each kind of server", () => {
  const place: ThinkingPlace = {
    provider: "custom",
    host: "127.0.0.1",
    model: "m",
    isNearby: true,
    isLlamaServer: false,
  };
  test.each<[string, Partial<ThinkingPlace>, readonly (JsonObject | undefined)[]]>([
    [
      "llama.cpp",
      { provider: "llamacpp", isLlamaServer: true },
      [template(false), template(true), template(true, "low")],
    ],
    ["llama.cpp by its address", { isLlamaServer: true, isNearby: false }, [template(false)]],
    ["vLLM", { provider: "vllm" }, [template(false), template(true), template(true, "low")]],
    ["an unknown server nearby", {}, [template(false)]],
    ["Ollama", { provider: "ollama" }, [{ think: false }, { think: true }, { think: "low" }]],
    [
      "OpenRouter",
      { provider: "openrouter" },
      [{ reasoning: { enabled: false } }, { reasoning: { enabled: true } }, { reasoning: { effort: "low" } }],
    ],
    [
      "OpenAI",
      { provider: "openai" },
      [{ reasoning_effort: "none" }, { reasoning_effort: "medium" }, { reasoning_effort: "low" }],
    ],
    ["an unknown service", { host: "api.example.com", isNearby: false }, [{ reasoning_effort: "none" }]],
    [
      "DeepSeek",
      { host: "api.deepseek.com", isNearby: false },
      [{ thinking: { type: "disabled" } }, { thinking: { type: "enabled" } }],
    ],
    [
      "Alibaba",
      { host: "dashscope.aliyuncs.com", isNearby: false },
      [{ enable_thinking: false }, { enable_thinking: true }],
    ],
    ["LM Studio", { provider: "lmstudio" }, [undefined]],
    [
      "LM Studio with gpt-oss",
      { provider: "lmstudio", model: "openai/gpt-oss-20b" },
      [{ reasoning_effort: "none" }],
    ],
  ])("%s", (_what, where, expected) => {
    const way = wayFor({ ...place, ...where });
    for (const [index, think] of ([false, true, "low"] as const).entries()) {
      if (index < expected.length) expect(way?.fields(think)).toEqual(expected[index]);
    }
  });
});

test("llama.cpp gets the switch with each request, in silence", async () => {
  server.judgeBy(() => say("ok"));
  const model = await connect("llamacpp", false);
  for (const _turn of [1, 2]) {
    expect(notices(await collect(model, request))).toEqual([]);
    expect(field("chat_template_kwargs")).toEqual({ enable_thinking: false, thinking: false });
  }
});

describe("a server that refuses the field", () => {
  test.each<[string, string, Judgement]>([
    ["by its name", "vllm", refuse("Unrecognized request argument supplied: chat_template_kwargs")],
    ["in other words", "custom", refuse("Bad body", 422)],
  ])("%s: the setting is left out once, and told", async (_what, provider, refusal) => {
    server.judgeBy((body) => ("chat_template_kwargs" in body ? refusal : say("ok")));
    const model = await connect(provider, false);
    const said = notices(await collect(model, request));
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/the setting thinking/);
    expect(notices(await collect(model, request))).toEqual([]);
    expect(server.sent).toHaveLength(3);
  });

  test("but takes another value: the lowest that it lists", async () => {
    const listed =
      "Unsupported value: 'reasoning_effort' does not support 'none'. Supported values are: 'low', 'minimal' and 'high'.";
    server.judgeBy((body) => (body["reasoning_effort"] === "none" ? refuse(listed) : say("ok")));
    const model = await connect("openai", false);
    expect(notices(await collect(model, request))).toHaveLength(1);
    expect(field("reasoning_effort")).toBe("minimal");
  });

  test("for a model that knows words: they are in the prompt, and stay there", async () => {
    server.judgeBy((body) =>
      "chat_template_kwargs" in body ? refuse("chat_template_kwargs: unknown") : say("ok"),
    );
    const model = await connect("custom", false, "qwen3:8b");
    expect(notices(await collect(model, request))[0]).toContain("/no_think");
    await collect(model, request);
    expect(messagesIn(server.sent.at(-1))[0]).toEqual({ role: "system", content: "S\n\n/no_think" });
  });

  test("not because of it: the field comes back", async () => {
    server.judgeBy(() => refuse("Bad body"));
    const model = await connect("custom", false);
    await collect(model, request);
    server.judgeBy(() => say("ok"));
    await collect(model, request);
    expect(field("chat_template_kwargs")).toBeDefined();
  });
});

test("a server without a field gets the words of the model, or the person is told", async () => {
  server.judgeBy(() => say("ok"));
  expect(notices(await collect(await connect("lmstudio", false, "qwen3-8b"), request))[0]).toContain(
    "the prompt says /no_think",
  );
  const glm = await connect("lmstudio", false, "glm-4.5-air");
  await collect(glm, request);
  await collect(glm, request);
  expect(messagesIn(server.sent.at(-1)).map(({ content }) => content)).toEqual(["S", "q\n\n/nothink"]);
  expect(notices(await collect(await connect("lmstudio", true, "qwen3-8b"), request))[0]).toContain(
    "no effect",
  );
});

describe("a server that takes the field and lets the model think", () => {
  const thinks = () => chunks({ reasoning_content: "Hm." }, { content: "ok" });
  test("is told of once", async () => {
    server.judgeBy(thinks);
    const model = await connect("custom", false);
    const events = await collect(model, request);
    expect(notices(events)).toEqual([
      "The server let the model think although thinking is off: the setting thinking has no effect there.",
    ]);
    expect(events.at(-1)?.type).toBe("model-end");
    expect(notices(await collect(model, request))).toEqual([]);
  });

  test("gets the words of the model", async () => {
    server.judgeBy(() => say("<think>\nHm.\n</think>\n\nok"));
    const model = await connect("custom", false, "qwen3-8b");
    expect(notices(await collect(model, request))[0]).toContain("/no_think");
    await collect(model, request);
    expect(messagesIn(server.sent.at(-1))[0]?.["content"]).toBe("S\n\n/no_think");
  });

  test("is not told of for an empty thought, nor when thoughts are wanted", async () => {
    server.judgeBy(() => say("<think>\n\n</think>\n\nok"));
    expect(notices(await collect(await connect("custom", false), request))).toEqual([]);
    server.judgeBy(thinks);
    expect(notices(await collect(await connect("custom", true), request))).toEqual([]);
  });
});

test("gpt-oss always thinks: the lowest level is asked for, on both wires", async () => {
  server.judgeBy(() => say("ok"));
  expect(notices(await collect(await connect("vllm", false, "gpt-oss-20b"), request))[0]).toContain(
    "level low",
  );
  expect(field("reasoning_effort")).toBe("low");
  server.judgeBy(() => done({ content: "ok" }));
  expect(notices(await collect(await connect("ollama", false, "gpt-oss:20b"), request))[0]).toContain(
    "level low",
  );
  expect(field("think")).toBe("low");
});

test("a level that Ollama's model does not know becomes plain thinking", async () => {
  server.judgeBy((body) =>
    typeof body["think"] === "string"
      ? { status: 400, body: { error: 'think value "low" is not supported for this model' } }
      : done({ content: "ok" }),
  );
  expect(notices(await collect(await connect("ollama", "low"), request))).toHaveLength(1);
  expect(field("think")).toBe(true);
});

describe("sampling", () => {
  const sampling = { temperature: 0.5, top_k: 20, repeat_penalty: 1.1 };
  test("that a service does not know is told, and the rest is sent", async () => {
    const { fields, untaken } = samplingFor(sampling, "openai", false);
    expect([fields, untaken]).toEqual([{ temperature: 0.5 }, ["top_k", "repeat_penalty"]]);
    server.judgeBy(() => say("ok"));
    const model = await connect("openai", true, "m", sampling);
    expect(notices(await collect(model, request))[0]).toContain("does not take top_k, repeat_penalty");
    expect(notices(await collect(model, request))).toEqual([]);
  });

  test("that an unknown server refuses is left out and told, one after the other", async () => {
    server.judgeBy((body) => {
      const bad = ["top_k", "repetition_penalty"].find((name) => name in body);
      return bad === undefined ? say("ok") : refuse(`unknown parameter: ${bad}`);
    });
    const events = await collect(await connect("custom", true, "m", sampling), request);
    expect(notices(events)).toHaveLength(2);
    expect(field("repeat_penalty")).toBe(1.1);
  });
});
