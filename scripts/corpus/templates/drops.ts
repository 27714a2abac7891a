/** The table of parts that chat templates drop, whatever the request: one row for each template and kind. */
import type { Mark, MarkKind } from "@localharness/models/histories";

export interface Dropped {
  readonly template: string;
  readonly kind: MarkKind;
  readonly reason: string;
}

/** Templates that have no field for thoughts, or write no thought with a call. */
const withoutThoughts: readonly string[] = [
  "Mistral-Small-3.2-24B-Instruct-2506",
  "mistralai-Mistral-Nemo-Instruct-2407",
  "Apertus-8B-Instruct",
  "Apriel-1.6-15b-Thinker-fixed",
  "CohereForAI-c4ai-command-r-plus-tool_use",
  "CohereForAI-c4ai-command-r7b-12-2024-tool_use",
  "GigaChat3-10B-A1.8B",
  "GigaChat3.1-10B-A1.8B",
  "HuggingFaceTB-SmolLM3-3B",
  "LFM2-8B-A1B",
  "LFM2.5-8B-A1B",
  "LFM2.5-Instruct",
  "MiMo-VL",
  "MiniMax-M1",
  "NVIDIA-Nemotron-Nano-v2",
  "NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use",
  "NousResearch-Hermes-3-Llama-3.1-8B-tool_use",
  "Qwen-QwQ-32B",
  "Qwen-Qwen2.5-7B-Instruct",
  "Qwen3-Coder",
  "Reka-Edge",
  "deepseek-ai-DeepSeek-R1-Distill-Llama-8B",
  "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B",
  "deepseek-ai-DeepSeek-V3.1",
  "deepseek-ai-DeepSeek-V3.2",
  "deepseek-ai-DeepSeek-V4",
  "deepseek-ai-DeepSeek-V4-Flash-0731",
  "google-gemma-2-2b-it",
  "ibm-granite-granite-3.3-2B-Instruct",
  "ibm-granite-granite-4.0",
  "ibm-granite-granite-4.1",
  "llama-cpp-deepseek-r1",
  "llama-cpp-rwkv-world",
  "meetkai-functionary-medium-v3.1",
  "meta-llama-Llama-3.1-8B-Instruct",
  "meta-llama-Llama-3.2-3B-Instruct",
  "meta-llama-Llama-3.3-70B-Instruct",
  "microsoft-Phi-3.5-mini-instruct",
  "mistralai-Ministral-3-14B-Reasoning-2512",
  "moonshotai-Kimi-K2",
  "unsloth-Apriel-1.5",
  "unsloth-mistral-Devstral-Small-2507",
  "upstage-Solar-Open-100B",
];

/** Templates that write only the calls of an assistant message with calls. */
const withoutTextBesideCalls: readonly string[] = [
  "Mistral-Small-3.2-24B-Instruct-2506",
  "mistralai-Mistral-Nemo-Instruct-2407",
  "Cohere2MoE",
  "CohereForAI-c4ai-command-r7b-12-2024-tool_use",
  "MiniMax-M1",
  "NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use",
  "NousResearch-Hermes-3-Llama-3.1-8B-tool_use",
  "meta-llama-Llama-3.1-8B-Instruct",
  "meta-llama-Llama-3.2-3B-Instruct",
  "meta-llama-Llama-3.3-70B-Instruct",
  "muse-glimmer",
  "upstage-Solar-Open-100B",
];

const drops: readonly Dropped[] = [
  ...withoutThoughts.map((template) => row(template, "thought", "writes no thoughts beside a call")),
  ...withoutTextBesideCalls.map((template) => row(template, "text", "writes no text beside a call")),
  row("openai-gpt-oss-120b", "thought", "takes a text or a thought beside a call, not both"),
  row(
    "openai-gpt-oss-120b",
    "text",
    "treats a text beside a call as a thought, which it drops after the turn",
  ),
];

function row(template: string, kind: MarkKind, reason: string): Dropped {
  return { template, kind, reason };
}

/** Returns the rows that explain the lost marks. */
export function droppedBy(template: string, lost: readonly Mark[]): readonly Dropped[] {
  return drops.filter((one) => one.template === template && lost.some(({ kind }) => kind === one.kind));
}

/** Returns a line for each row of these templates that is not in `used`: it explained nothing, so it is out of date. */
export function unusedDrops(used: readonly Dropped[], templates: readonly string[]): readonly string[] {
  return drops
    .filter((one) => templates.includes(one.template) && !used.includes(one))
    .map(({ template, kind }) => `${template}  ${kind}`);
}
