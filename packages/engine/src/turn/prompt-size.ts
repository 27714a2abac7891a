/** Measures a prompt without a tokenizer. */
import type { ModelMessage } from "@localharness/protocol";
import type { ToolDefinition } from "../model.ts";

export interface PromptSize {
  readonly chars: number;
  /** The number of characters. A character that usually is a whole token counts as `denseWeight` characters. */
  readonly weight: number;
}

/** Matches the characters of scripts in which most characters are a whole token, such as Hebrew, Hindi and Chinese, and emoji. */
const dense = /[\u0590-\u1fff\u2e80-\uffff]/g;
/** The weight of a character that usually is a whole token: the usual number of characters of a token in other scripts. */
const denseWeight = 3;

/** The sizes of messages that were measured already. Messages never change. */
const measured = new WeakMap<ModelMessage, PromptSize>();

/** Returns the size of the messages, including the names and arguments of their calls, without reasoning and images. */
export function promptSize(messages: readonly ModelMessage[]): PromptSize {
  let chars = 0;
  let weight = 0;
  for (const message of messages) {
    const size = measured.get(message) ?? measure(message);
    chars += size.chars;
    weight += size.weight;
  }
  return { chars, weight };
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
  }
  measured.set(message, size);
  return size;
}

function sizeOf(text: string): PromptSize {
  const chars = text.length;
  return { chars, weight: chars + (denseWeight - 1) * (text.match(dense)?.length ?? 0) };
}
