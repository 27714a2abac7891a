import { describe, expect, it } from "vitest";
import { findProvider, keyFor, providers } from "../../src/index.ts";

describe("findProvider", () => {
  it.each([
    ["ollama", "ollama"],
    ["Grok", "xai"],
    ["llama.cpp", "llamacpp"],
    ["lm-studio", "lmstudio"],
    ["nobody", undefined],
  ])("knows %s as %s", (name, id) => {
    expect(findProvider(name)?.id).toBe(id);
  });

  it("gives every id and alias to one provider only", () => {
    const names = providers.flatMap((row) => [row.id, ...row.aliases]);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("keyFor", () => {
  const xai = findProvider("xai");
  it.each([
    [{ XAI_API_KEY: "x1", GROK_API_KEY: "g1" }, { xai: "f1" }, { key: "x1", from: "XAI_API_KEY" }],
    [{ XAI_API_KEY: "", GROK_API_KEY: " g1 " }, {}, { key: "g1", from: "GROK_API_KEY" }],
    [{}, { xai: "f1" }, { key: "f1", from: "the key file" }],
    [{}, { grok: "f2" }, { key: "f2", from: "the key file" }],
    [{ OPENAI_API_KEY: "o" }, { openai: "o" }, undefined],
  ])("finds in %j and file %j: %j", (environment, keys, found) => {
    if (xai === undefined) throw new Error("xai is missing");
    expect(keyFor(xai, environment, keys)).toEqual(found);
  });
});
