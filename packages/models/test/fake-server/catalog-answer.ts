/** Answers questions about models: Ollama's tags, show, ps and version, the OpenAI list, llama.cpp's props, token counts. */
import type { JsonObject } from "@localharness/protocol";
import { modelsOf, type Scenario, type ScriptedModel } from "./scenario.ts";

export function catalogAnswer(
  scenario: Scenario,
  method: string,
  path: string,
  body: JsonObject,
): { readonly status: number; readonly body: JsonObject } | undefined {
  const models = modelsOf(scenario);
  if (method === "POST" && path === "/api/show") {
    const model = models.find((row) => row.name === body["model"]);
    return model ? ok(show(model)) : { status: 404, body: { error: `model '${body["model"]}' not found` } };
  }
  if (
    method === "POST" &&
    path.endsWith("/chat/completions/input_tokens") &&
    scenario.countsTokens === true
  ) {
    const tokens = Math.ceil(Buffer.byteLength(JSON.stringify(body)) / 4);
    return ok({ object: "response.input_tokens", input_tokens: tokens });
  }
  if (method !== "GET") return undefined;
  switch (path) {
    case "/api/tags":
      return ok({ models: models.map(tag) });
    case "/api/ps":
      return ok({ models: models.filter((row) => row.runningContext !== undefined).map(running) });
    case "/api/version":
      return ok({ version: "0.12.0" });
    case "/v1/models":
      return ok({ object: "list", data: models.map(listed) });
    case "/props":
      return ok({
        default_generation_settings: { n_ctx: models[0]?.runningContext ?? 32_768 },
        chat_template: models[0]?.template ?? "",
      });
    default:
      return undefined;
  }
}

function ok(body: JsonObject) {
  return { status: 200, body };
}

function tag(model: ScriptedModel): JsonObject {
  return {
    name: model.name,
    model: model.name,
    modified_at: "2026-01-01T00:00:00Z",
    size: 1,
    digest: "0",
    details: {
      format: "gguf",
      family: "fake",
      parameter_size: "8B",
      quantization_level: "Q4_K_M",
      ...(model.listsDetails === true ? { context_length: model.contextLength ?? 32_768 } : {}),
    },
    ...(model.listsDetails === true
      ? { capabilities: [...(model.capabilities ?? ["completion", "tools"])] }
      : {}),
  };
}

function running(model: ScriptedModel): JsonObject {
  return { ...tag(model), size_vram: 1, context_length: model.runningContext ?? 0 };
}

function show(model: ScriptedModel): JsonObject {
  return {
    details: { family: "fake", parameter_size: "8B" },
    model_info: { "general.architecture": "fake", "fake.context_length": model.contextLength ?? 32_768 },
    capabilities: [...(model.capabilities ?? ["completion", "tools"])],
    template: model.template ?? "",
    parameters: "",
  };
}

function listed(model: ScriptedModel): JsonObject {
  const max = model.contextLength === undefined ? {} : { max_model_len: model.contextLength };
  return { id: model.name, object: "model", created: 1_700_000_000, owned_by: "fake", ...max };
}
