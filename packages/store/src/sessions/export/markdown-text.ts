/** Renders a session as Markdown. */
import type { Message } from "@localharness/protocol";
import { plainText } from "@localharness/protocol";
import type { ExportedSession } from "./export-format.ts";
import { messageParts } from "./message-parts.ts";

export function markdownText({ name, workspace, created, model, messages }: ExportedSession): string {
  const when = created === 0 ? "" : `, ${new Date(created).toISOString().slice(0, 16).replace("T", " ")}`;
  const head = `# ${oneLine(name || "Session")}\n\n${oneLine(workspace)}${when}, ${oneLine(model)}\n`;
  return plainText([head, ...messages.map(messageText)].join("\n"));
}

function messageText(message: Message): string {
  return messageParts(message)
    .map(({ title, text, kind }) => {
      if (kind === "said") return `## ${oneLine(title)}\n\n${text.trimEnd()}\n`;
      return `<details><summary>${escaped(oneLine(title))}</summary>\n\n${fenced(text)}\n\n</details>\n`;
    })
    .join("\n");
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
