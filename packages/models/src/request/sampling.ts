/** Passes sampling settings to each server under the names that the server knows. */
import type { ProviderId } from "../choice/catalog.ts";

/** How a server picks each token. A setting that is absent keeps the server's default. */
export interface Sampling {
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly min_p?: number;
  readonly repeat_penalty?: number;
}

export type SamplingName = keyof Sampling;

/** The settings, each with its minimum and maximum. */
export const samplingRanges: Readonly<Record<SamplingName, readonly [least: number, most: number]>> = {
  temperature: [0, 5],
  top_p: [0, 1],
  top_k: [0, 1_000_000],
  min_p: [0, 1],
  repeat_penalty: [0, 5],
};

type WireNames = Readonly<Partial<Record<SamplingName, string>>>;

const ownNames: WireNames = {
  temperature: "temperature",
  top_p: "top_p",
  top_k: "top_k",
  min_p: "min_p",
  repeat_penalty: "repeat_penalty",
};
/** The fields of OpenAI's own API. Servers that follow it strictly refuse every other field. */
const openaiNames: WireNames = { temperature: "temperature", top_p: "top_p" };
const vllmNames: WireNames = { ...ownNames, repeat_penalty: "repetition_penalty" };

const namesOfProvider: Readonly<Record<ProviderId, WireNames>> = {
  ollama: ownNames,
  lmstudio: ownNames,
  llamacpp: ownNames,
  vllm: vllmNames,
  sglang: vllmNames,
  koboldcpp: { ...openaiNames, top_k: "top_k", min_p: "min_p" },
  // Jan passes requests on to llama.cpp.
  jan: ownNames,
  gpt4all: openaiNames,
  openrouter: vllmNames,
  xai: openaiNames,
  openai: openaiNames,
  custom: openaiNames,
  demo: {},
  replay: {},
};

/** Both names of a setting, for a server nearby of an unknown kind, which ignores or refuses the other one. */
const bothNames = { repeat_penalty: "repetition_penalty" } as const;

export interface SentSampling {
  /** The settings under the server's names. */
  readonly fields: Readonly<Record<string, number>>;
  /** The settings that the server does not take. */
  readonly untaken: readonly SamplingName[];
}

/**
 * Returns the settings as a server takes them. A server nearby of an unknown kind gets all of them, because most such servers know
 * them, and names those that it refuses.
 */
export function samplingFor(
  sampling: Sampling | undefined,
  provider: ProviderId,
  isNearby: boolean,
): SentSampling {
  if (provider === "custom" && isNearby) {
    const fields = { ...samplingFields(sampling, "llamacpp") };
    const penalty = fields["repeat_penalty"];
    if (penalty !== undefined) fields[bothNames.repeat_penalty] = penalty;
    return { fields, untaken: [] };
  }
  const names = namesOfProvider[provider];
  const asked = Object.keys(sampling ?? {}) as SamplingName[];
  return {
    fields: samplingFields(sampling, provider),
    untaken: asked.filter((name) => names[name] === undefined),
  };
}

/** Returns the settings under the provider's names, without the settings that the provider does not know. */
export function samplingFields(
  sampling: Sampling | undefined,
  provider: ProviderId,
): Readonly<Record<string, number>> {
  const fields: Record<string, number> = {};
  const names = namesOfProvider[provider];
  for (const name of Object.keys(samplingRanges) as SamplingName[]) {
    const [value, wireName] = [sampling?.[name], names[name]];
    if (value !== undefined && wireName !== undefined) fields[wireName] = value;
  }
  return fields;
}
