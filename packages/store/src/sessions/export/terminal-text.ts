/** Renders a session as text for a terminal. It has no markup, and only the beginnings of long details. */
import { countText, plainText } from "@localharness/protocol";
import type { ExportedSession } from "./export-format.ts";
import { type ItemPart, itemParts } from "./item-parts.ts";

const maxDetailLines = 12;

/** Returns the text, without the system prompt, which is the same in every session. */
export function terminalText({ name, workspace, created, model, items }: ExportedSession): string {
  const when = created === 0 ? "" : `, ${new Date(created).toISOString().slice(0, 16).replace("T", " ")}`;
  const head = `${oneLine(name || "Session")}\n${oneLine(workspace)}${when}, ${oneLine(model)}\n`;
  return plainText([head, ...items.flatMap(itemParts).map(partText)].join("\n"));
}

function partText({ kind, title, text }: ItemPart): string {
  if (kind === "said") return `${oneLine(title)}:\n${text.trimEnd()}\n`;
  const lines = text.trimEnd().split("\n");
  const left = lines.length - maxDetailLines;
  const shown = left > 1 ? [...lines.slice(0, maxDetailLines), `… ${countText(left, "more line")}`] : lines;
  return `  ${oneLine(title)}\n${shown.map((line) => `    ${line}`).join("\n")}\n`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
