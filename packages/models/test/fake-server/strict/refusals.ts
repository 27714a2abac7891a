/** Writes refusals in the shapes of the real servers. */
import type { JsonObject } from "@localharness/protocol";
import { type ChatTemplate, type TemplateFailure, TemplateRefusal } from "./jinja.ts";
import type { LlamaServer } from "./llama-server.ts";

export interface Refused {
  readonly kind: "refused";
  readonly status: number;
  readonly body: JsonObject;
}

const types: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  403: "permission_error",
  404: "not_found_error",
  500: "server_error",
  501: "not_supported_error",
  503: "unavailable_error",
};

export function llamaRefusal(status: number, message: string, more: JsonObject = {}): Refused {
  const type = types[status] ?? "server_error";
  return { kind: "refused", status, body: { error: { code: status, message, type, ...more } } };
}

export const loadingRefusal = llamaRefusal(503, "Loading model");

export function tooLong(tokens: number, contextTokens: number, server: LlamaServer): Refused {
  if (server === "2025-08") {
    const message =
      "the request exceeds the available context size. try increasing the context size or enable context shift";
    return llamaRefusal(400, message);
  }
  const message = `request (${tokens} tokens) exceeds the available context size (${contextTokens} tokens), try increasing it`;
  const numbers = { n_prompt_tokens: tokens, n_ctx: contextTokens };
  return llamaRefusal(400, message, { type: "exceed_context_size_error", ...numbers });
}

/**
 * Returns a template's refusal. The older server names the position last and answers 500; the later one names it first and
 * answers 400, or 500 for a `special` family.
 */
export function templateRefusal(
  failure: TemplateFailure,
  template: ChatTemplate,
  server: LlamaServer,
  special: boolean,
): Refused {
  const { line, column, text } = placeOf(failure, template.source);
  if (server === "2025-08") {
    return llamaRefusal(
      500,
      `${failure.message} at row ${line}, column ${column}:\n${text}\n${" ".repeat(column)}^\n`,
    );
  }
  const words = failure instanceof TemplateRefusal ? `Jinja Exception: ${failure.message}` : failure.message;
  const where = `\n------------\nWhile executing CallExpression at line ${line}, column ${column} in source:\n...${text}...\n${" ".repeat(43)}^\nError: ${words}`;
  if (special) return llamaRefusal(500, where);
  const prefix = "Unable to generate parser for this template. Automatic parser generation failed: ";
  return llamaRefusal(400, prefix + where);
}

function placeOf(failure: TemplateFailure, source: string) {
  const at = Math.max(
    0,
    failure instanceof TemplateRefusal ? source.indexOf(failure.message.slice(0, 20)) : 0,
  );
  const before = source.slice(0, at).split("\n");
  const text = (source.split("\n")[before.length - 1] ?? "").trim().slice(0, 80);
  return { line: before.length, column: (before.at(-1) ?? "").length + 1, text };
}

/** Returns the refusal of Ollama, which passes on the error of its llama.cpp as JSON inside its error string. */
export function ollamaRefusal({ status, body }: Refused): Refused {
  return { kind: "refused", status, body: { error: JSON.stringify(body) } };
}
