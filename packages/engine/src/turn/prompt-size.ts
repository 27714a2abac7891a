/** Measures a prompt without a tokenizer. */
import type { AssistantMessage, ModelMessage } from "@localharness/protocol";
import type { ToolDefinition } from "../model.ts";

export interface PromptSize {
  readonly chars: number;
  /** The number of characters. A character that usually is a whole token counts as `denseWeight` characters. */
  readonly weight: number;
  /**
   * The weight of the thoughts since the last message of the person; absent if there are none. They go back to the model, and
   * chat templates drop older ones.
   */
  readonly thought?: number;
}

/** Matches the characters of scripts in which most characters are a whole token, such as Hebrew, Hindi and Chinese, and emoji. */
const dense = /[\u0590-\u1fff\u2e80-\uffff]/g;
/** The weight of a character that usually is a whole token: the usual number of characters of a token in other scripts. */
const denseWeight = 3;

/** The sizes of messages that were measured already. Messages never change. */
const measured = new WeakMap<ModelMessage, PromptSize>();

/** Returns the size of the messages, including the names and arguments of their calls. Thoughts are counted separately, images not. */
export function promptSize(messages: readonly ModelMessage[]): PromptSize {
  let chars = 0;
  let weight = 0;
  let thought = 0;
  for (const message of messages) {
    const size = measured.get(message) ?? measure(message);
    chars += size.chars;
    weight += size.weight;
    if (message.role === "user" && message.from === "person") thought = 0;
    thought += size.thought ?? 0;
  }
  return thought === 0 ? { chars, weight } : { chars, weight, thought };
}

/** Returns the number of characters of the messages, counted as in `promptSize`. */
export function promptChars(messages: readonly ModelMessage[]): number {
  return promptSize(messages).chars;
}

/** Returns the number of characters of the tools' descriptions as JSON. */
export function toolChars(tools: readonly ToolDefinition[]): number {
  return tools.reduce((sum, tool) => sum + JSON.stringify(tool).length, 0);
}

function measure(message: ModelMessage): PromptSize {
  let size = sizeOf(message.content);
  if (message.role === "assistant") {
    for (const { name, arguments: args } of message.toolCalls ?? []) {
      const call = sizeOf(name + (typeof args === "string" ? args : JSON.stringify(args)));
      size = { chars: size.chars + call.chars, weight: size.weight + call.weight };
    }
    const thought = thoughtOf(message);
    if (thought !== "") size = { ...size, thought: sizeOf(thought).weight };
  }
  measured.set(message, size);
  return size;
}

/** Returns the thought; if only the server can read it, the fields that contain it. */
function thoughtOf({ reasoning = "", origin }: AssistantMessage): string {
  if (reasoning !== "") return reasoning;
  return origin?.fields === undefined ? "" : JSON.stringify(origin.fields);
}

function sizeOf(text: string): PromptSize {
  const chars = text.length;
  return { chars, weight: chars + (denseWeight - 1) * (text.match(dense)?.length ?? 0) };
}
