/** Lists the ways to tell a server whether, and how much, its model thinks: one row for each kind of server. */
import type { JsonObject } from "@localharness/protocol";
import type { Thinking } from "../../wire/ollama/request.ts";

/** What decides about the way. */
export interface ThinkingPlace {
  /** The id of the provider. */
  readonly provider: string;
  /** The host of the server. */
  readonly host: string;
  /** The lower-case name of the model. */
  readonly model: string;
  /** True if the server runs on this machine or in its network. */
  readonly isNearby: boolean;
  /** True if the server is known to be llama.cpp, under any name. */
  readonly isLlamaServer: boolean;
}

/** A value of the setting, or the lowest level that some servers have. */
export type Effort = Thinking | "minimal";

interface Way {
  /** The names of the fields, for messages. */
  readonly title: string;
  /** Returns the fields of the request. */
  fields(think: Effort): JsonObject;
  /** True if the way knows no levels, only on and off. */
  readonly hasNoLevels?: true;
}

export type WayId = "think" | "template" | "effort" | "reasoning" | "switch" | "enable";

const isOn = (think: Effort) => think !== false;
/** The name of a level. Thinking without a level is `medium`. */
const effortOf = (think: Effort) => (typeof think === "string" ? think : think ? "medium" : "none");

export const ways: Readonly<Record<WayId, Way>> = {
  think: { title: "think", fields: (think) => ({ think }) },
  /** The switches that chat templates read: Qwen3 and GLM, DeepSeek and Granite, gpt-oss. Templates ignore other names. */
  template: {
    title: "chat_template_kwargs",
    fields: (think) => ({
      chat_template_kwargs: {
        enable_thinking: isOn(think),
        thinking: isOn(think),
        ...(typeof think === "string" ? { reasoning_effort: think } : {}),
      },
      // vLLM and SGLang write the prompts of gpt-oss without a template.
      ...(typeof think === "string" ? { reasoning_effort: think } : {}),
    }),
  },
  effort: { title: "reasoning_effort", fields: (think) => ({ reasoning_effort: effortOf(think) }) },
  reasoning: {
    title: "reasoning",
    fields: (think) => ({
      reasoning: typeof think === "string" ? { effort: think } : { enabled: isOn(think) },
    }),
  },
  switch: {
    title: "thinking",
    fields: (think) => ({ thinking: { type: isOn(think) ? "enabled" : "disabled" } }),
    hasNoLevels: true,
  },
  enable: {
    title: "enable_thinking",
    fields: (think) => ({ enable_thinking: isOn(think) }),
    hasNoLevels: true,
  },
};

interface Row {
  readonly way: WayId | undefined;
  readonly providers?: readonly string[];
  readonly hosts?: RegExp;
  readonly when?: (place: ThinkingPlace) => boolean;
}

/** The first row that fits decides. A row without a way stands for servers that have none. */
const rows: readonly Row[] = [
  { way: "think", providers: ["ollama"] },
  { way: "template", when: ({ isLlamaServer }) => isLlamaServer },
  { way: "template", providers: ["llamacpp", "vllm", "sglang", "koboldcpp", "jan"] },
  { way: "effort", providers: ["lmstudio"], when: ({ model }) => isGptOss(model) },
  { way: undefined, providers: ["lmstudio", "gpt4all"] },
  { way: "reasoning", providers: ["openrouter"] },
  { way: "reasoning", hosts: /(^|\.)openrouter\.ai$/ },
  { way: "effort", providers: ["openai", "xai"] },
  { way: "switch", hosts: /(^|\.)(deepseek\.com|z\.ai|bigmodel\.cn|moonshot\.(ai|cn)|volces\.com)$/ },
  { way: "enable", hosts: /(^|\.)(aliyuncs\.com|siliconflow\.(cn|com)|modelscope\.cn)$/ },
  { way: "template", hosts: /(^|\.)(deepinfra\.com|together\.(ai|xyz)|nebius\.(ai|com)|chutes\.ai)$/ },
  { way: "template", when: ({ isNearby }) => isNearby },
  { way: "effort" },
];

/** Returns the way for a server; undefined if it has none. */
export function wayFor(place: ThinkingPlace): Way | undefined {
  const row = rows.find(
    ({ providers, hosts, when }) =>
      (providers === undefined || providers.includes(place.provider)) &&
      (hosts === undefined || hosts.test(place.host)) &&
      (when === undefined || when(place)),
  );
  return row?.way === undefined ? undefined : ways[row.way];
}

/** Returns true for a model that always thinks, of which only the level can be chosen. */
export function isGptOss(model: string): boolean {
  return /gpt-?oss/.test(model);
}

/** The words in a prompt that make a model answer without a thought, by the names of models. */
const stopWords: readonly {
  readonly names: RegExp;
  readonly words: string;
  readonly at: "system" | "user";
}[] = [
  { names: /qwen-?3(?!\.\d)(?!.*(instruct|thinking|coder|next|embed))/, words: "/no_think", at: "system" },
  { names: /smollm-?3|nemotron.*(nano|v2)|hunyuan/, words: "/no_think", at: "system" },
  { names: /glm-?4\.[56]/, words: "/nothink", at: "user" },
];

export type StopWords = (typeof stopWords)[number];

/** Returns the words that make the model answer without a thought; undefined if it knows none. */
export function stopWordsOf(model: string): StopWords | undefined {
  return stopWords.find(({ names }) => names.test(model));
}
