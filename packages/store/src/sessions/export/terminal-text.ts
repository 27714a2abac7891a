/** Renders a session as text for a terminal. It has no markup, and only the beginnings of long details. */
import { countText, type Message, plainText } from "@localharness/protocol";
import type { ExportedSession } from "./export-format.ts";
import { type MessagePart, messageParts } from "./message-parts.ts";

const maxDetailLines = 12;

export function terminalText({ name, workspace, created, model, messages }: ExportedSession): string {
  const when = created === 0 ? "" : `, ${new Date(created).toISOString().slice(0, 16).replace("T", " ")}`;
  const head = `${oneLine(name || "Session")}\n${oneLine(workspace)}${when}, ${oneLine(model)}\n`;
  return plainText([head, ...messages.filter(isShown).flatMap(partsOf)].join("\n"));
}

/** Returns false for the system prompt, which is the same in every session. */
function isShown({ role }: Message): boolean {
  return role !== "system";
}

function partsOf(message: Message): readonly string[] {
  return messageParts(message).map(partText);
}

function partText({ kind, title, text }: MessagePart): string {
  if (kind === "said") return `${oneLine(title)}:\n${text.trimEnd()}\n`;
  const lines = text.trimEnd().split("\n");
  const left = lines.length - maxDetailLines;
  const shown = left > 1 ? [...lines.slice(0, maxDetailLines), `… ${countText(left, "more line")}`] : lines;
  return `  ${oneLine(title)}\n${shown.map((line) => `    ${line}`).join("\n")}\n`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
