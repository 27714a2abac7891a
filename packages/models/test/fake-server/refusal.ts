/** Refuses requests independent of the turn: a wrong key, an unknown model, tools, thinking. */
import type { IncomingMessage } from "node:http";
import type { JsonObject } from "@localharness/protocol";
import { type Api, modelsOf, type Scenario } from "./scenario.ts";

export interface Refusal {
  readonly status: number;
  readonly body: JsonObject;
}

export function refusal(
  scenario: Scenario,
  api: Api | undefined,
  request: IncomingMessage,
  body: JsonObject,
): Refusal | undefined {
  if (scenario.key !== undefined && request.headers.authorization !== `Bearer ${scenario.key}`) {
    return refuse(api, 401, "Incorrect API key provided");
  }
  if (api === undefined) return undefined;
  const model = String(body["model"] ?? "");
  const known = modelsOf(scenario).some((row) => row.name === model || row.name === `${model}:latest`);
  if (!known) {
    return refuse(
      api,
      404,
      api === "ollama" ? `model '${model}' not found` : `The model \`${model}\` does not exist`,
    );
  }
  const tools = body["tools"];
  if (scenario.refusesTools && Array.isArray(tools) && tools.length > 0) {
    return refuse(api, 400, `registry.ollama.ai/library/${model} does not support tools`);
  }
  if (scenario.refusesThinking && body["think"] !== undefined && body["think"] !== false) {
    return refuse(api, 400, `"${model}" does not support thinking`);
  }
  return undefined;
}

function refuse(api: Api | undefined, status: number, message: string): Refusal {
  if (api === "ollama") return { status, body: { error: message } };
  return { status, body: { error: { message, type: "invalid_request_error", code: status } } };
}
