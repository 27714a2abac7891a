/** Exports a session as Markdown, HTML or terminal text for people, or as JSON for other programs. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { usageError } from "@localharness/engine";
import { emptyView, foldEvents, type Message, reasonOf } from "@localharness/protocol";
import { titleOf } from "../count-messages.ts";
import { readSessionFile } from "../read-session.ts";
import { type ExportedSession, type ExportFormat, exportEndings, type ShownFormat } from "./export-format.ts";
import { htmlText } from "./html-text.ts";
import { markdownText } from "./markdown-text.ts";
import { terminalText } from "./terminal-text.ts";

/** Returns a session as text in the given format. Throws a `HarnessError` if the session cannot be read. */
export async function exportText(path: string, format: ShownFormat): Promise<string> {
  const { header, events, note } = await readSessionFile(path);
  const view = foldEvents(emptyView, events);
  const messages = view.messages.filter(({ role }) => role !== "display");
  const first = messages.find((message) => message.role === "user" && message.from === "person");
  const session: ExportedSession = {
    id: header.id,
    name: note?.name ?? titleOf(first?.content ?? ""),
    workspace: header.workspace,
    created: header.created,
    model: view.session?.model ?? "",
    messages,
  };
  switch (format) {
    case "json":
      return `${JSON.stringify({ localharness: "export", version: 1, ...session, messages: messages.map(named) }, undefined, 1)}\n`;
    case "html":
      return htmlText(session);
    case "markdown":
      return markdownText(session);
    case "terminal":
      return terminalText(session);
  }
}

/** Returns the message with its images reduced to type and name. */
function named(message: Message): unknown {
  if (message.role !== "user" || message.images === undefined) return message;
  return { ...message, images: message.images.map(({ mediaType, name }) => ({ mediaType, name })) };
}

/**
 * Writes an export to a new file and returns its path. Without a target, the file is in the current folder and is named
 * `localharness-<id>` with the extension of the format, and with a number if that name is taken. Never overwrites a file.
 * Rejects with a `HarnessError` if the session cannot be read or the file cannot be written.
 */
export async function exportToFile(
  path: string,
  id: string,
  format: ExportFormat,
  target: string | undefined,
): Promise<string> {
  const text = await exportText(path, format);
  const names =
    target === undefined
      ? ["", "-2", "-3", "-4", "-5", "-6", "-7", "-8", "-9"].map(
          (more) => `localharness-${id}${more}${exportEndings[format]}`,
        )
      : [target];
  for (const name of names) {
    const file = resolve(name);
    try {
      writeFileSync(file, text, { flag: "wx", mode: 0o600 });
      return file;
    } catch (error) {
      const taken = error instanceof Error && "code" in error && error.code === "EEXIST";
      if (taken && name !== names.at(-1)) continue;
      const why = taken ? "it exists, and is not overwritten" : reasonOf(error);
      throw usageError(`${file} cannot be written: ${why}`, error);
    }
  }
  throw usageError("every default file name is taken: give a file name");
}
