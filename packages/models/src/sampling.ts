/** Passes sampling settings to each server under the names that the server knows. */
import type { ProviderId } from "./catalog.ts";

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
  openrouter: vllmNames,
  xai: openaiNames,
  openai: openaiNames,
  custom: openaiNames,
  demo: {},
  replay: {},
};

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
