import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { modelsDoc } from "../../../../../scripts/models-doc.ts";
import { families, familyOf, shippedSampling } from "../../../src/models/model-profiles/families.ts";

test.each(families)("$example belongs to $title", ({ example, title }) => {
  expect(familyOf(example)?.title).toBe(title);
});

test.each([
  ["Qwen3-Coder-30B-A3B-Instruct-Q4_K_M.gguf", "Qwen3-Coder"],
  ["Qwen3-30B-A3B-Instruct-2507", "Qwen3, instruct models without thoughts"],
  ["DeepSeek-R1-Distill-Qwen-14B", "DeepSeek-R1 and its distilled models"],
  ["Meta-Llama-3.1-8B-Instruct", "Llama 3"],
  ["Phi-4-mini-reasoning", "Phi-4 reasoning"],
  ["phi4", undefined],
  ["fake-model", undefined],
])("%s belongs to %s", (model, title) => {
  expect(familyOf(model)?.title).toBe(title);
});

test.each([
  ["llamacpp", "gemma3:12b", { temperature: 1, top_p: 0.95, top_k: 64 }],
  ["lmstudio", "devstral-small", { temperature: 0.15 }],
  ["ollama", "gemma3:12b", undefined],
  ["openai", "gpt-oss-20b", undefined],
  ["llamacpp", "my-model", undefined],
] as const)("%s with %s is sent the sampling %j", (provider, model, sampling) => {
  expect(shippedSampling(provider, model)).toEqual(sampling);
});

test("docs/models.md is written from the table", () => {
  const path = join(import.meta.dirname, "../../../../../docs/models.md");
  expect(readFileSync(path, "utf8")).toBe(modelsDoc());
});
