import { describe, expect, it } from "vitest";
import { chooseModel, type FoundModel, type FoundServer } from "../../src/index.ts";

const ollama = (...models: FoundModel[]): FoundServer => ({
  provider: "ollama",
  title: "Ollama",
  baseUrl: "http://a",
  models,
});
const vllm = (...models: FoundModel[]): FoundServer => ({
  provider: "vllm",
  title: "vLLM",
  baseUrl: "http://b/v1",
  models,
});
const model = (name: string, loaded: boolean, canCallTools?: boolean, chats = true): FoundModel => ({
  name,
  loaded,
  chats,
  ...(canCallTools === undefined ? {} : { canCallTools }),
});

describe("chooseModel takes", () => {
  it.each([
    {
      title: "a loaded model before a capable one",
      servers: [ollama(model("able", false, true), model("warm", true, false))],
      reason:
        "Using warm of Ollama at http://a: it is loaded already; it has no native tool calls, so the tools are described in its prompt. 1 other found; choose with --model.",
    },
    {
      title: "a capable model when none is loaded",
      servers: [
        ollama(model("plain", false, false), model("able", false, true), model("able2", false, true)),
      ],
      reason:
        "Using able of Ollama at http://a: no model is loaded yet, and it fits best; its server says that it calls tools natively. 2 others found; choose with --model.",
    },
    {
      title: "no words that the chat template contradicts",
      servers: [ollama({ ...model("plain", true, true), template: "{{ .System }} {{ .Prompt }}" })],
      reason:
        "Using plain of Ollama at http://a: it is loaded already; it has no native tool calls, so the tools are described in its prompt. It is the only one found.",
    },
    {
      title: "what another server has loaded",
      servers: [
        ollama(model("able", false, true)),
        vllm({ ...model("served", true), isLoadedAssumed: true }),
      ],
      reason: "Using served of vLLM at http://b/v1: its server lists it. 1 other found; choose with --model.",
    },
    {
      title: "no embedding model",
      servers: [ollama(model("embed", true, false, false), model("chat", false, true))],
      reason:
        "Using chat of Ollama at http://a: no model is loaded yet, and it fits best; its server says that it calls tools natively. It is the only one found.",
    },
  ])("$title", ({ servers, reason }) => {
    const chosen = chooseModel({ servers, silent: [] });
    expect(chosen.ok && chosen.choice.reason).toBe(reason);
  });

  it.each([
    {
      title: "no server",
      servers: [],
      message:
        "No model server was found. Looked for:\n  ollama at http://a\n  vllm at http://b/v1: http://b/v1/models answered 502.\nStart one (for example: ollama serve, then: ollama pull qwen3), give --base-url,\nor try --model demo, which needs no server.",
    },
    {
      title: "no model",
      servers: [ollama()],
      message:
        "Ollama at http://a runs but has no model to chat with. Get one with: ollama pull qwen3, or try --model demo.",
    },
    {
      title: "nobody at a named address",
      servers: [],
      silent: [{ provider: "lmstudio" as const, baseUrl: "http://c/v1", named: true as const }],
      message:
        "LM Studio at http://c/v1 does not answer: nothing listens there.\nStart its server in the Developer tab, or with: lms server start\nOr give another address with --base-url, or try --model demo, which needs no server.",
    },
    {
      title: "no list at a named address",
      servers: [],
      silent: [
        {
          provider: "custom" as const,
          baseUrl: "http://me:hunter2@c/v1",
          named: true as const,
          reason: "http://c/v1/models answered 401.",
        },
      ],
      message:
        "The server at http://c/v1 gave no list of models: http://c/v1/models answered 401.\nCorrect this, or give the model's name with --model NAME if the server has no list,\nor try --model demo, which needs no server.",
    },
  ])("nothing where there is $title, and says what to do", ({ servers, message, silent: named }) => {
    const silent = named ?? [
      { provider: "ollama" as const, baseUrl: "http://a" },
      {
        provider: "vllm" as const,
        baseUrl: "http://me:hunter2@b/v1",
        reason: "http://b/v1/models answered 502.",
      },
    ];
    expect(chooseModel({ servers, silent })).toEqual({ ok: false, message });
  });
});
