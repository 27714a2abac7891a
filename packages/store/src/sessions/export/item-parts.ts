/** Splits an item of a session into the parts that an export shows: text that is visible, and details that are folded. */
import { type Item, type ItemOf, type ToolResult, textWithImages } from "@localharness/protocol";
import type { ExportedSession } from "./export-format.ts";

export interface ItemPart {
  /** `said` is text of the person or the model. `folded` is a detail such as a call, a result or reasoning. */
  readonly kind: "said" | "folded";
  readonly who: "person" | "model" | "tool" | "harness";
  readonly title: string;
  readonly text: string;
}

/** Returns the part with the system prompt; none if there is no prompt. */
export function promptParts({ systemPrompt }: ExportedSession): readonly ItemPart[] {
  if (systemPrompt === undefined) return [];
  return [{ kind: "folded", who: "harness", title: "System prompt", text: systemPrompt }];
}

/** Returns the parts of an item; none for an item that is no part of the conversation with the model. */
export function itemParts(item: Item): readonly ItemPart[] {
  switch (item.kind) {
    case "user":
      return [userPart(item)];
    case "thought":
      return [{ kind: "folded", who: "model", title: "Reasoning", text: item.text }];
    case "answer": {
      const cut = item.partial === undefined ? "" : ` (${item.partial})`;
      return [{ kind: "said", who: "model", title: `Model${cut}`, text: item.text }];
    }
    case "call":
      return callParts(item);
    case "unreadable":
      return [{ kind: "folded", who: "model", title: `Unreadable call (${item.reason})`, text: item.raw }];
    case "notice":
    case "question":
    case "end":
    case "command":
      return [];
  }
}

function userPart({ text: content, from, path, images = [] }: ItemOf<"user">): ItemPart {
  const text = textWithImages({ content, images });
  if (from === "person") return { kind: "said", who: "person", title: "You", text };
  return from === "file"
    ? { kind: "folded", who: "person", title: `Attached file ${path}`, text: content }
    : { kind: "folded", who: "harness", title: "Note to the model", text: content };
}

function callParts({ toolName, arguments: args, state, result }: ItemOf<"call">): readonly ItemPart[] {
  // The session ended while the model wrote it.
  if (state === "writing") return [];
  const text = typeof args === "string" ? args : JSON.stringify(args, undefined, 2);
  const call = { kind: "folded", who: "model", title: `Call of ${toolName}`, text } as const;
  if (result === undefined) return [call];
  return [call, { kind: "folded", who: "tool", title: `Result of ${toolName}`, text: resultText(result) }];
}

/** Returns the data and the error message of a tool result, whichever it has; the whole result if it has neither. */
function resultText(result: ToolResult): string {
  const texts = [result.data, result.error_message].filter((text) => text !== null);
  return texts.length === 0 ? JSON.stringify(result) : texts.join("\n");
}
