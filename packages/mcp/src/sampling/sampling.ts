/** Reads the requests of servers for an answer of the person's model (sampling), and writes the results. */
import type { ModelAnswer, ServersRequest } from "@localharness/engine";
import { isJsonObject, type JsonObject, type JsonValue, type RequestedMessage } from "@localharness/protocol";

/** The maximum number of messages of a request: the person has to read them. */
const maxMessages = 50;
/** The maximum number of characters of all texts of a request: the person has to read them. */
const maxChars = 32_000;
/** The maximum number of tokens of an answer, whatever the server asks for. */
const maxTokens = 4_096;

/** The error codes of the protocol. */
const invalidParams = -32_602;
const refusedByPerson = -1;

export type Sampled =
  | { readonly ok: true; readonly result: JsonObject }
  | { readonly ok: false; readonly code: number; readonly message: string };

export interface SamplingParts {
  /** Asks the person, and then the model if the person allows it. Never rejects. If it is absent, no model answers. */
  readonly answer?: ((request: ServersRequest, signal: AbortSignal) => Promise<ModelAnswer>) | undefined;
  tell(message: string): void;
}

/**
 * Resolves to the model's answer, or to an error for the server. Refuses a request with tools, with anything but text,
 * or with too much text, and tells the person so. The model gets only the texts, their roles and the token limit. Never
 * rejects.
 */
export async function sample(
  server: string,
  params: JsonObject,
  signal: AbortSignal,
  { answer, tell }: SamplingParts,
): Promise<Sampled> {
  const request = readRequest(server, params);
  if (typeof request === "string") {
    tell(`the MCP server ${server} asked for an answer of your model, which was refused: ${request}`);
    return { ok: false, code: invalidParams, message: request };
  }
  const given = (await answer?.(request, signal)) ?? { ok: false, message: "no model answers here" };
  if (!given.ok) return { ok: false, code: refusedByPerson, message: given.message };
  const { text, model, stopReason } = given;
  return { ok: true, result: { role: "assistant", content: { type: "text", text }, model, stopReason } };
}

/** Returns the request, or a sentence that says what is wrong with it. */
function readRequest(server: string, params: JsonObject): ServersRequest | string {
  const { tools, toolChoice, systemPrompt, messages, maxTokens: wanted } = params;
  if (tools !== undefined || toolChoice !== undefined) {
    return "expected a request without tools, because the model gets no tools here: leave out tools and toolChoice";
  }
  if (systemPrompt !== undefined && typeof systemPrompt !== "string") {
    return "expected a text as systemPrompt";
  }
  if (!Array.isArray(messages) || messages.length === 0 || messages.length > maxMessages) {
    return `expected 1 to ${maxMessages} messages`;
  }
  if (typeof wanted !== "number" || !Number.isInteger(wanted) || wanted < 1) {
    return "expected a whole number above 0 as maxTokens";
  }
  const read = messages.map(readMessage);
  const wrong = read.find((one) => typeof one === "string");
  if (wrong !== undefined) return wrong;
  const texts = read.filter((one) => typeof one !== "string");
  const chars = texts.reduce((sum, { text }) => sum + text.length, systemPrompt?.length ?? 0);
  if (chars > maxChars) return `expected at most ${maxChars} characters, got ${chars}: send less text`;
  const system = systemPrompt === undefined || systemPrompt === "" ? {} : { system: systemPrompt };
  const asks = { kind: "model", ...system, messages: texts, maxTokens: Math.min(wanted, maxTokens) } as const;
  return { server, message: "", asks };
}

function readMessage(message: JsonValue): RequestedMessage | string {
  const { role, content } = isJsonObject(message) ? message : {};
  if (role !== "user" && role !== "assistant") {
    return "expected user or assistant as the role of each message";
  }
  const blocks = Array.isArray(content) ? content : [content ?? null];
  const texts = blocks.map((block) =>
    isJsonObject(block) && block["type"] === "text" ? block["text"] : undefined,
  );
  if (!texts.every((text) => typeof text === "string")) {
    return "expected messages of text: images, sounds and tool results do not reach the model";
  }
  return { role, text: texts.join("\n") };
}
