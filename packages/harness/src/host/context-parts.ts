/** What fills the prompt of the next request, counted in bytes; tokens are estimated as a quarter of them. */
import type { ToolDefinition } from "@localharness/engine";
import type { ContextPart } from "@localharness/protocol";
import { type ImageContent, imageBytes, type Message } from "@localharness/protocol";

/** What the system prompt is made of, in its order. */
export interface PromptPart {
  readonly name: string;
  readonly bytes: number;
}

export interface PromptFilling {
  readonly promptParts: readonly PromptPart[];
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly Message[];
}

const bytesOfToken = 4;
/** Roughly: models cut images to a size of their own, whatever their bytes. */
const tokensOfImage = 1_000;

/** In the order of the prompt: instructions, tools, then what was said. */
export function contextParts({ promptParts, tools, messages }: PromptFilling): readonly ContextPart[] {
  return [
    ...promptParts.map(({ name, bytes }) => part(name, bytes)),
    ...tools.map((tool) => part(`tool ${tool.name}`, bytesOf(JSON.stringify(tool)))),
    ...messageParts(messages),
  ];
}

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
        add(message.from === "harness" ? "notes of the harness" : "your messages", message.content);
        images.push(...(message.images ?? []));
        break;
      case "assistant":
        add("answers", message.content);
        if (message.toolCalls !== undefined && message.toolCalls.length > 0)
          add("tool calls", JSON.stringify(message.toolCalls));
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
  return [...parts, { name: `images (${images.length})`, bytes, tokens: images.length * tokensOfImage }];
}

function part(name: string, bytes: number): ContextPart {
  return { name, bytes, tokens: Math.ceil(bytes / bytesOfToken) };
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
