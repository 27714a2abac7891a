/** The settings of the model, its server and its prompt. */
import { defaultNumCtx } from "@localharness/models/default-num-ctx";
import { ownProfiles } from "../models/model-profiles/own-profile.ts";
import type { SettingRow } from "./setting-row.ts";
import { duration, integer, oneOf, sampling, text, thinking } from "./value-checks.ts";

export const modelFields = [
  {
    key: "provider",
    option: {
      name: "provider",
      value: "NAME",
      help: "the provider of the model: ollama, lmstudio, llamacpp, vllm, xai, openai, ...",
      after: "input",
    },
    about: "the provider that serves the model",
    unset: "the one whose server is found",
    ...text("a name such as ollama"),
  },
  {
    key: "model",
    option: {
      name: "model",
      short: "m",
      value: "NAME",
      help: "the model to use; demo needs no server",
      after: "input",
    },
    about: "the model",
    unset: "one that the server has",
    ...text("a name such as qwen3:8b"),
  },
  {
    key: "host",
    option: {
      name: "base-url",
      value: "URL",
      help: "address of an OpenAI-compatible or Ollama server",
      after: "provider",
    },
    about: "address of the server",
    unset: "the provider's own",
    ...text("an address such as http://localhost:11434"),
  },
  {
    key: "num_ctx",
    option: { name: "num-ctx", value: "N", after: "add-dir" },
    about: "context window in tokens: asked of Ollama, assumed of a local server that tells none",
    unset: `${defaultNumCtx}, or that of a loaded model`,
    ...integer(256, 16_777_216),
  },
  {
    key: "num_predict",
    about: "maximum tokens of one answer, -1 for no limit",
    unset: "the server's",
    ...integer(-2, 16_777_216),
  },
  {
    key: "keep_alive",
    about: "how long Ollama keeps the model loaded",
    unset: "the server's",
    ...duration(),
  },
  {
    key: "thinking",
    about: "whether the model reasons before it answers",
    unset: "the model's",
    ...thinking(),
  },
  {
    key: "sampling",
    about: "sampling by model: temperature, top_p, top_k, min_p, repeat_penalty",
    unset: "the server's",
    ...sampling(),
  },
  {
    key: "profiles",
    about: "what suits single models, instead of what localharness doctor has found",
    unset: "the doctor's findings",
    ...ownProfiles(),
  },
  {
    key: "text_tool_calls",
    option: {
      name: "text-tool-calls",
      value: "KIND",
      help: "accept native tool calls, calls written as text, or both (auto)",
      after: "num-ctx",
    },
    about:
      "which tool calls are read: auto reads native calls and calls in text, native or text only that kind",
    unset: "auto",
    ...oneOf(["auto", "native", "text"]),
  },
  {
    key: "parallel_requests",
    about:
      "model calls of agents at once; 1 for Ollama, LM Studio, llama.cpp and unknown local servers, else 4",
    unset: "1 or 4",
    ...integer(1, 4_096),
  },
  {
    key: "compact",
    option: {
      name: "compact",
      value: "WHEN",
      help: "leave out old results when the window is nearly full (auto), at /compact only (ask), or never (off)",
      after: "num-ctx",
    },
    about: "whether old results and answers are left out when the context window is nearly full",
    unset: "auto",
    ...oneOf(["auto", "ask", "off"]),
  },
] as const satisfies readonly SettingRow[];
