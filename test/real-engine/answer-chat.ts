/** Answers one chat request with the engine: writes the prompt with the model's template and streams the answer. */
import { Template } from "@huggingface/jinja";
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import type { LoadedModel, Token } from "./load-engine.ts";

/** An error response, with the status that llama.cpp uses. */
export interface Refusal {
  readonly kind: "refusal";
  readonly error: { readonly code: number; readonly message: string; readonly type: string } & JsonObject;
}

export interface Prompt {
  readonly kind: "prompt";
  readonly tokens: readonly Token[];
}

export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "end";
      readonly reason: "stop" | "length";
      readonly written: number;
      readonly known: number;
    };

export function promptOf(model: LoadedModel, body: JsonObject): Prompt | Refusal {
  let text: string;
  try {
    text = render(model, body);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: "refusal", error: { code: 500, message, type: "server_error" } };
  }
  const tokens = model.tokenize(text);
  if (tokens.length < model.contextSize) return { kind: "prompt", tokens };
  const message = `the request (${tokens.length} tokens) exceeds the context size (${model.contextSize} tokens)`;
  const counts = { n_prompt_tokens: tokens.length, n_ctx: model.contextSize };
  return { kind: "refusal", error: { code: 400, message, type: "exceed_context_size_error", ...counts } };
}

function render(model: LoadedModel, { messages, tools }: JsonObject): string {
  if (!Array.isArray(messages)) throw new Error("messages has to be a list.");
  return new Template(model.template).render({
    messages: messages.map((message) => (isJsonObject(message) ? withObjects(message) : message)),
    ...(Array.isArray(tools) && tools.length > 0 ? { tools } : {}),
    add_generation_prompt: true,
    bos_token: model.begin,
    eos_token: model.end,
  });
}

/** Converts a message for the template: call arguments from JSON text to objects, content to text. */
function withObjects(message: JsonObject): JsonObject {
  const { content, tool_calls: calls } = message;
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : undefined;
  return {
    ...message,
    ...(parts === undefined ? {} : { content: parts.map((part) => String(part["text"] ?? "")).join("") }),
    ...(Array.isArray(calls) ? { tool_calls: calls.filter(isJsonObject).map(withArguments) } : {}),
  };
}

function withArguments(call: JsonObject): JsonObject {
  const wanted = isJsonObject(call["function"]) ? call["function"] : {};
  const { arguments: given } = wanted;
  const args = typeof given === "string" ? JSON.parse(given) : (given ?? {});
  return { ...call, function: { ...wanted, arguments: args } };
}

/** Yields the text that the engine writes, in whole characters. The last piece is the end of the answer. */
export async function* answerChat(
  model: LoadedModel,
  { tokens }: Prompt,
  { max_tokens: limit, temperature, tools }: JsonObject,
): AsyncGenerator<Piece, void, void> {
  const room = model.contextSize - tokens.length;
  const most = typeof limit === "number" ? Math.min(limit, room) : room;
  // As in llama.cpp, control tokens such as the marks of a call are kept only when the request offers tools.
  const controls = Array.isArray(tools) && tools.length > 0;
  const written: Token[] = [];
  let told = "";
  let known = 0;
  let reason: "stop" | "length" = "length";
  const options = {
    temperature: typeof temperature === "number" ? temperature : 0,
    begins: (count: number) => {
      known = count;
    },
  };
  for await (const token of model.write(tokens, options)) {
    written.push(token);
    if (model.isEnd(token)) {
      reason = "stop";
      break;
    }
    // A character with missing bytes is decoded as replacement characters.
    const whole = model.textOf(written, controls).replace(/\ufffd+$/, "");
    if (whole.length > told.length) yield { kind: "text", text: whole.slice(told.length) };
    told = whole;
    if (written.length >= most) break;
  }
  yield { kind: "end", reason, written: written.length, known };
}
