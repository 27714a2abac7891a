/** Splits a message into the parts that an export shows: text that is visible, and details that are folded. */
import { type Message, textWithImages, type UserMessage } from "@localharness/protocol";

export interface MessagePart {
  /** `said` is text of the person or the model. `folded` is a detail such as a call, a result or reasoning. */
  readonly kind: "said" | "folded";
  readonly who: "person" | "model" | "tool" | "harness";
  readonly title: string;
  readonly text: string;
}

export function messageParts(message: Message): readonly MessagePart[] {
  switch (message.role) {
    case "system":
      return [{ kind: "folded", who: "harness", title: "System prompt", text: message.content }];
    case "user":
      return message.from === "person"
        ? [{ kind: "said", who: "person", title: "You", text: textWithImages(message) }]
        : [{ kind: "folded", ...titleOfNote(message), text: message.content }];
    case "assistant": {
      const parts: MessagePart[] = [];
      if (message.reasoning !== undefined) {
        parts.push({ kind: "folded", who: "model", title: "Reasoning", text: message.reasoning });
      }
      const cut = message.partial === undefined ? "" : ` (${message.partial})`;
      if (message.content !== "") {
        parts.push({ kind: "said", who: "model", title: `Model${cut}`, text: message.content });
      }
      for (const { name, arguments: args } of message.toolCalls ?? []) {
        const text = typeof args === "string" ? args : JSON.stringify(args, undefined, 2);
        parts.push({ kind: "folded", who: "model", title: `Call of ${name}`, text });
      }
      return parts;
    }
    case "tool":
      return [
        {
          kind: "folded",
          who: "tool",
          title: `Result of ${message.toolName}`,
          text: resultText(message.content),
        },
      ];
    case "display":
      return [];
  }
}

function titleOfNote({ from, path }: UserMessage): Pick<MessagePart, "who" | "title"> {
  return from === "file"
    ? { who: "person", title: `Attached file ${path}` }
    : { who: "harness", title: "Note to the model" };
}

/** Returns the data and the error message of a tool result, whichever it has; any other text unchanged. */
function resultText(content: string): string {
  try {
    const { data, error_message: problem } = JSON.parse(content) as Readonly<Record<string, unknown>>;
    const texts = [data, problem].filter((one) => typeof one === "string");
    return texts.length === 0 ? content : texts.join("\n");
  } catch {
    return content;
  }
}
