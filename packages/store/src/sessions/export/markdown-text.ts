/** Renders a session as Markdown. */
import { plainText } from "@localharness/protocol";
import type { ExportedSession } from "./export-format.ts";
import { type ItemPart, itemParts, promptParts } from "./item-parts.ts";

export function markdownText(session: ExportedSession): string {
  const { name, workspace, created, model, items } = session;
  const when = created === 0 ? "" : `, ${new Date(created).toISOString().slice(0, 16).replace("T", " ")}`;
  const head = `# ${oneLine(name || "Session")}\n\n${oneLine(workspace)}${when}, ${oneLine(model)}\n`;
  const parts = [...promptParts(session), ...items.flatMap(itemParts)];
  return plainText([head, ...parts.map(partText)].join("\n"));
}

function partText({ title, text, kind }: ItemPart): string {
  if (kind === "said") return `## ${oneLine(title)}\n\n${text.trimEnd()}\n`;
  return `<details><summary>${escaped(oneLine(title))}</summary>\n\n${fenced(text)}\n\n</details>\n`;
}

/** Returns the text in a code fence that is longer than any run of backticks in the text. */
function fenced(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}

function escaped(text: string): string {
  return text.replace(/[<>&]/g, (sign) => ({ "<": "&lt;", ">": "&gt;" })[sign] ?? "&amp;");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
