/** Lists what the makers of the common model families recommend. docs/models.md is generated from this table. */
import type { ModelSelection, Sampling } from "@localharness/models";

type ProviderId = Parameters<NonNullable<ModelSelection["tuned"]>>[0];

export interface ModelFamily {
  readonly title: string;
  /** Matches the lower-case names of the family's models. */
  readonly names: RegExp;
  /** The name of one model of the family, for the documentation and the tests. */
  readonly example: string;
  readonly sampling: Sampling;
  /** The publication in which the maker recommends the sampling. */
  readonly source: "model card" | "generation_config.json";
  /**
   * `tried` means that the doctor has run with the real weights. `read` means that the values come only from the
   * source.
   */
  readonly known: "read" | "tried";
}

/** The families. If several rows match a name, the first row is used. */
export const families: readonly ModelFamily[] = [
  read("Qwen3-Coder", /qwen3-coder/, "qwen3-coder:30b", "model card", {
    temperature: 0.7,
    top_p: 0.8,
    top_k: 20,
    repeat_penalty: 1.05,
  }),
  read(
    "Qwen3, instruct models without thoughts",
    /qwen3.*(instruct|nothink)/,
    "qwen3-30b-a3b-instruct",
    "model card",
    {
      temperature: 0.7,
      top_p: 0.8,
      top_k: 20,
    },
  ),
  read("Qwen3", /qwen-?3/, "qwen3:8b", "model card", { temperature: 0.6, top_p: 0.95, top_k: 20 }),
  read("QwQ", /\bqwq/, "qwq:32b", "model card", { temperature: 0.6, top_p: 0.95, top_k: 40 }),
  read("Qwen2.5", /qwen-?2\.5/, "qwen2.5:7b", "generation_config.json", {
    temperature: 0.7,
    top_p: 0.8,
    top_k: 20,
    repeat_penalty: 1.05,
  }),
  read("DeepSeek-R1 and its distilled models", /deepseek-r1/, "deepseek-r1:14b", "model card", {
    temperature: 0.6,
    top_p: 0.95,
  }),
  read("Hermes 4", /hermes-?4/, "hermes-4:14b", "model card", { temperature: 0.6, top_p: 0.95, top_k: 20 }),
  read("Llama 3", /llama-?3|\bllama-3/, "llama3.1:8b", "generation_config.json", {
    temperature: 0.6,
    top_p: 0.9,
  }),
  read("Gemma 3", /gemma-?3/, "gemma3:12b", "model card", { temperature: 1, top_p: 0.95, top_k: 64 }),
  read("Devstral", /devstral/, "devstral:24b", "model card", { temperature: 0.15 }),
  read("Magistral", /magistral/, "magistral:24b", "model card", { temperature: 0.7, top_p: 0.95 }),
  read("Mistral Nemo", /mistral-nemo/, "mistral-nemo:12b", "model card", { temperature: 0.3 }),
  read("Mistral Small 3", /mistral-small/, "mistral-small3.2:24b", "model card", { temperature: 0.15 }),
  read("gpt-oss", /gpt-oss/, "gpt-oss:20b", "model card", { temperature: 1, top_p: 1 }),
  read("GLM-4.6", /glm-4\.6/, "glm-4.6", "model card", { temperature: 1, top_p: 0.95, top_k: 40 }),
  read("Kimi K2", /kimi-k2/, "kimi-k2", "model card", { temperature: 0.6 }),
  read("Phi-4 reasoning", /phi-?4.*reasoning/, "phi4-reasoning:14b", "model card", {
    temperature: 0.8,
    top_p: 0.95,
    top_k: 50,
  }),
];

function read(
  title: string,
  names: RegExp,
  example: string,
  source: ModelFamily["source"],
  sampling: Sampling,
): ModelFamily {
  return { title, names, example, sampling, source, known: "read" };
}

/**
 * The servers that run a model file with fixed sampling values. Other servers use the maker's values: Ollama and vLLM
 * read them from the model's files, and remote providers choose them.
 */
const plainServers: ReadonlySet<ProviderId> = new Set<ProviderId>(["llamacpp", "lmstudio"]);

export function familyOf(model: string): ModelFamily | undefined {
  const name = model.toLowerCase();
  return families.find(({ names }) => names.test(name));
}

/** Returns the sampling that the maker recommends, if the server does not use it by itself; otherwise undefined. */
export function shippedSampling(provider: ProviderId, model: string): Sampling | undefined {
  return plainServers.has(provider) ? familyOf(model)?.sampling : undefined;
}
