/** Answers requests about the server and its one model: lists, details, version, token counts. */
import type { JsonObject } from "@localharness/protocol";

export const modelName = "fake-model";
const context = 131_072;
const details = { format: "gguf", family: "llama", parameter_size: "8B", quantization_level: "Q4_K_M" };

export function catalogAnswer(path: string): { status: number; body: JsonObject } {
  if (path.endsWith(":countTokens")) return ok({ totalTokens: 1 });
  if (path.endsWith("/models")) {
    const model = {
      id: modelName,
      object: "model",
      created: 1_767_225_600,
      owned_by: "fake",
      max_model_len: context,
    };
    return ok({ object: "list", data: [model] });
  }
  if (path === "/api/tags" || path === "/api/ps") {
    const name = `${modelName}:latest`;
    return ok({
      models: [{ name, model: name, modified_at: "2026-01-01T00:00:00Z", size: 1, digest: "0", details }],
    });
  }
  if (path === "/api/version") return ok({ version: "0.12.0" });
  if (path === "/api/show") {
    const modelInfo = { "general.architecture": "llama", "llama.context_length": context };
    return ok({
      details,
      model_info: modelInfo,
      capabilities: ["completion", "tools"],
      parameters: "",
      template: "",
    });
  }
  return { status: 404, body: { error: { message: "not here" } } };
}

function ok(body: JsonObject) {
  return { status: 200, body };
}
