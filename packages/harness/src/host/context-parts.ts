/** Measures the parts of the next prompt in bytes. One token is estimated as four bytes. */
import type { ToolDefinition } from "@localharness/engine";
import type { ContextPart } from "@localharness/protocol";
import { type ImageContent, imageBytes, type Message, type UserMessage } from "@localharness/protocol";

/** One part of the system prompt. */
export interface PromptPart {
  readonly name: string;
  readonly bytes: number;
}

export interface PromptFilling {
  readonly promptParts: readonly PromptPart[];
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly Message[];
}

const bytesPerToken = 4;
/** The estimated tokens of an image. Models scale images to a fixed size, so the number of bytes does not matter. */
const tokensPerImage = 1_000;

/** Returns the parts in the order of the prompt: system prompt, tools, messages. */
export function contextParts({ promptParts, tools, messages }: PromptFilling): readonly ContextPart[] {
  return [
    ...promptParts.map(({ name, bytes }) => part(name, bytes)),
    ...tools.map((tool) => part(`tool ${tool.name}`, bytesOf(JSON.stringify(tool)))),
    ...messageParts(messages),
  ];
}

const partNames: Readonly<Record<UserMessage["from"], string>> = {
  person: "your messages",
  harness: "notes of the harness",
  file: "attached files",
};

function messageParts(messages: readonly Message[]): readonly ContextPart[] {
  const images: ImageContent[] = [];
  const totals = new Map<string, { count: number; bytes: number }>();
  const add = (name: string, text: string) => {
    if (text === "") return;
    const total = totals.get(name) ?? { count: 0, bytes: 0 };
    totals.set(name, { count: total.count + 1, bytes: total.bytes + bytesOf(text) });
  };
  for (const message of messages) {
    switch (message.role) {
      case "user":
        add(partNames[message.from], message.content);
        images.push(...(message.images ?? []));
        break;
      case "assistant":
        add("answers", message.content);
        if (message.toolCalls !== undefined && message.toolCalls.length > 0) {
          add("tool calls", JSON.stringify(message.toolCalls));
        }
        break;
      case "tool":
        add(`results of ${message.toolName}`, message.content);
        break;
      case "system":
      case "display":
        break;
    }
  }
  const parts = [...totals].map(([name, { count, bytes }]) => part(`${name} (${count})`, bytes));
  if (images.length === 0) return parts;
  const bytes = images.reduce((sum, image) => sum + imageBytes(image), 0);
  return [...parts, { name: `images (${images.length})`, bytes, tokens: images.length * tokensPerImage }];
}

function part(name: string, bytes: number): ContextPart {
  return { name, bytes, tokens: Math.ceil(bytes / bytesPerToken) };
}

/** Returns the UTF-8 length of a text in bytes. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
