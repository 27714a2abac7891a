/** Answers what a strict server reports of itself: `/props`, `/v1/models`, `/health`, token counts, Ollama's model lists. */
import type { JsonObject } from "@localharness/protocol";
import { modelsOf, type Scenario } from "../scenario.ts";
import { llamaRefusal } from "./refusals.ts";
import type { StrictDesk } from "./strict-desk.ts";

export interface Told {
  readonly status: number;
  /** A string if the body is not JSON. */
  readonly body: JsonObject | string;
}

const trainedContext = 131_072;

/** Returns undefined if the plain scripted server should answer. */
export function strictCatalog(
  desk: StrictDesk,
  scenario: Scenario,
  method: string,
  path: string,
  body: JsonObject,
): Told | undefined {
  if (method === "POST" && path === "/v1/chat/completions/input_tokens") return count(desk, body);
  if (method === "POST" && path === "/api/show") return { status: 200, body: shown(desk) };
  if (method !== "GET") return undefined;
  switch (path) {
    case "/health":
    case "/v1/health":
      return { status: 200, body: { status: "ok" } };
    case "/props":
      return props(desk);
    case "/v1/models":
      return { status: 200, body: listed(desk, scenario) };
    case "/api/tags":
      return { status: 200, body: { models: modelsOf(scenario).map(({ name }) => tag(desk, name)) } };
    case "/api/ps":
      return { status: 200, body: { models: modelsOf(scenario).map(({ name }) => running(desk, name)) } };
    default:
      return undefined;
  }
}

function count(desk: StrictDesk, body: JsonObject): Told {
  if (!desk.facts.countsTokens) return llamaRefusal(404, "File Not Found");
  const taken = desk.read("openai", body);
  return taken.kind === "refused" ? taken : { status: 200, body: { input_tokens: taken.tokens } };
}

function props(desk: StrictDesk): Told {
  const { strict } = desk;
  switch (strict.props) {
    case "missing":
      return llamaRefusal(404, "File Not Found");
    case "forbidden":
      return llamaRefusal(403, "This server does not tell its properties.");
    case "huge":
      return { status: 200, body: { ...truth(desk), chat_template: "x".repeat(64 * 1024 * 1024) } };
    case "not-json":
      return { status: 200, body: "<!doctype html><title>A page</title>" };
    default:
      return { status: 200, body: truth(desk) };
  }
}

function truth({ strict, facts, contextTokens, known }: StrictDesk): JsonObject {
  const { tool_results: _results, text_arguments: _text, ...told } = known.abilities;
  return {
    default_generation_settings: { id: 0, n_ctx: contextTokens, speculative: false, is_processing: false },
    total_slots: 1,
    model_path: "models/fake-model.gguf",
    modalities: { vision: strict.seesImages === true, audio: false },
    chat_template: known.template.source,
    ...(facts.tellsAbilities ? { chat_template_caps: told } : {}),
    bos_token: "<s>",
    eos_token: "</s>",
    build_info: facts.tellsAbilities ? "b9900-scripted" : "b6100-scripted",
  };
}

function listed(desk: StrictDesk, scenario: Scenario): JsonObject {
  const meta = {
    vocab_type: 2,
    n_vocab: 32_000,
    ...(desk.facts.tellsAbilities ? { n_ctx: desk.contextTokens } : {}),
    n_ctx_train: trainedContext,
    n_embd: 4_096,
    n_params: 8_000_000_000,
    size: 4_000_000_000,
  };
  const data = modelsOf(scenario).map(({ name }) => ({
    id: name,
    object: "model",
    created: 1_700_000_000,
    owned_by: "llamacpp",
    meta: desk.isLoading() ? null : meta,
  }));
  return { object: "list", data };
}

function capabilities({ strict, known }: StrictDesk): string[] {
  const sees = strict.seesImages === true ? ["vision"] : [];
  return ["completion", ...(known.abilities.supports_tools ? ["tools"] : []), ...sees];
}

function tag(desk: StrictDesk, name: string): JsonObject {
  return {
    name,
    model: name,
    modified_at: "2026-01-01T00:00:00Z",
    size: 1,
    digest: "0",
    details: { format: "gguf", family: "fake", parameter_size: "8B", quantization_level: "Q4_K_M" },
    capabilities: capabilities(desk),
  };
}

function running(desk: StrictDesk, name: string): JsonObject {
  return { ...tag(desk, name), size_vram: 1, context_length: desk.contextTokens };
}

function shown(desk: StrictDesk): JsonObject {
  return {
    details: { family: "fake", parameter_size: "8B" },
    model_info: { "general.architecture": "fake", "fake.context_length": trainedContext },
    capabilities: capabilities(desk),
    template: desk.known.template.source,
    parameters: "",
  };
}
