/** Renders a chat request through the model's template, or refuses it like a real server. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { type Abilities, abilitiesOf, usualVariables } from "./abilities.ts";
import { openaiFromOllama } from "./from-ollama.ts";
import { type ChatTemplate, parseTemplate, TemplateFailure } from "./jinja.ts";
import type { LlamaServer } from "./llama-server.ts";
import { BadMessages, noImages, readMessages } from "./read-messages.ts";
import { llamaRefusal, ollamaRefusal, type Refused, templateRefusal, tooLong } from "./refusals.ts";
import { shapeMessages } from "./shape-messages.ts";
import { type Strictness, usualContext } from "./strictness.ts";

export interface Rendered {
  readonly kind: "rendered";
  readonly prompt: string;
  readonly tokens: number;
}

/** A parsed template with its abilities. */
export interface KnownTemplate {
  readonly template: ChatTemplate;
  readonly abilities: Abilities;
}

const known = new Map<string, KnownTemplate>();

/** Parses a template and finds its abilities, once for each text and server. Throws `TemplateFailure` for invalid text. */
export function knownTemplate(source: string, server: LlamaServer = "2026-08"): KnownTemplate {
  const there = known.get(server + source);
  if (there !== undefined) return there;
  const template = parseTemplate(source);
  const made = { template, abilities: abilitiesOf(template, server) };
  known.set(server + source, made);
  return made;
}

export function takeRequest(
  strict: Strictness,
  api: "openai" | "ollama",
  body: JsonObject,
): Rendered | Refused {
  if (api === "openai") return takeOpenai(strict, body);
  const { abilities } = knownTemplate(strict.template);
  if (offers(body) && !abilities.supports_tools) {
    const error = `registry.ollama.ai/library/${body["model"]} does not support tools`;
    return { kind: "refused", status: 400, body: { error } };
  }
  const taken = takeOpenai({ ...strict, server: "2026-08" }, openaiFromOllama(body));
  if (taken.kind === "rendered") return taken;
  return saysNoImages(taken)
    ? { ...taken, body: { error: "this model is missing data required for image input" } }
    : ollamaRefusal(taken);
}

function takeOpenai(strict: Strictness, body: JsonObject): Rendered | Refused {
  const { server = "2026-08", contextTokens = usualContext } = strict;
  const { template, abilities } = knownTemplate(strict.template, server);
  let special = false;
  try {
    const read = readMessages(body, strict.seesImages === true);
    const how = { server, abilities, source: template.source };
    const { messages, family } = shapeMessages(read, body["tools"], how);
    special = family !== undefined;
    const tools = offers(body) ? { tools: body["tools"] } : server === "2026-08" ? { tools: null } : {};
    const prompt = template.render({ ...usualVariables, messages, ...tools });
    const tokens = tokensOf(prompt);
    return tokens < contextTokens
      ? { kind: "rendered", prompt, tokens }
      : tooLong(tokens, contextTokens, server);
  } catch (error) {
    if (error instanceof BadMessages) return llamaRefusal(error.status, error.message);
    if (error instanceof TemplateFailure) return templateRefusal(error, template, server, special);
    throw error;
  }
}

/** Estimates the tokens of a text at four characters each. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

function offers(body: JsonObject): boolean {
  const tools: JsonValue | undefined = body["tools"];
  return Array.isArray(tools) && tools.length > 0;
}

function saysNoImages({ body }: Refused): boolean {
  return isJsonObject(body["error"]) && body["error"]["message"] === noImages;
}
