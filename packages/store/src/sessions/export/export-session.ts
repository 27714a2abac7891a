/** Exports a session as Markdown, HTML or terminal text for people, or as JSON for other programs. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { usageError } from "@localharness/engine";
import {
  defined,
  type ExportFormat,
  emptyView,
  exportEndings,
  foldEvents,
  foldItems,
  type Message,
  reasonOf,
} from "@localharness/protocol";
import { titleOf } from "../count-messages.ts";
import { readSessionFile } from "../read-session.ts";
import type { ExportedSession, ShownFormat } from "./export-format.ts";
import { htmlText } from "./html-text.ts";
import { markdownText } from "./markdown-text.ts";
import { terminalText } from "./terminal-text.ts";

/** Returns a session as text in the given format. Throws a `HarnessError` if the session cannot be read. */
export async function exportText(path: string, format: ShownFormat): Promise<string> {
  const { header, events, note } = await readSessionFile(path);
  const view = foldEvents(emptyView, events);
  const messages = view.messages.filter(({ role }) => role !== "display");
  const first = messages.find((message) => message.role === "user" && message.from === "person");
  const facts = {
    id: header.id,
    name: note?.name ?? titleOf(first?.content ?? ""),
    workspace: header.workspace,
    created: header.created,
    model: view.session?.model ?? "",
  };
  if (format === "json") {
    const exported = { localharness: "export", version: 1, ...facts, messages: messages.map(named) };
    return `${JSON.stringify(exported, undefined, 1)}\n`;
  }
  const systemPrompt = messages.find(({ role }) => role === "system")?.content;
  return texts[format]({ ...facts, items: foldItems(events), ...defined({ systemPrompt }) });
}

/** The functions that write a session for people. */
const texts: Readonly<Record<Exclude<ShownFormat, "json">, (session: ExportedSession) => string>> = {
  html: htmlText,
  markdown: markdownText,
  terminal: terminalText,
};

/** Returns the message with its images reduced to type and name. */
function named(message: Message): unknown {
  if (message.role !== "user" || message.images === undefined) return message;
  return { ...message, images: message.images.map(({ mediaType, name }) => ({ mediaType, name })) };
}

/** Where an export is written. */
export interface ExportPlace {
  /** The file that the person named, relative to the current folder; undefined if the person named none. */
  readonly file: string | undefined;
  /** The private folder of files that the person did not name; it is made if it is missing. */
  readonly folder: string;
}

/**
 * Writes an export to a new file and returns its path. A file that the person did not name is called `localharness-<id>`
 * with the extension of the format, and with a number if that name is taken. Never overwrites a file. Rejects with a
 * `HarnessError` if the session cannot be read or the file cannot be written.
 */
export async function exportToFile(
  path: string,
  id: string,
  format: ExportFormat,
  { file: wanted, folder }: ExportPlace,
): Promise<string> {
  const text = await exportText(path, format);
  const names =
    wanted === undefined
      ? ["", "-2", "-3", "-4", "-5", "-6", "-7", "-8", "-9"].map((more) =>
          join(folder, `localharness-${id}${more}${exportEndings[format]}`),
        )
      : [wanted];
  if (wanted === undefined) makeFolder(folder);
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

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw usageError(`${folder} cannot be made: ${reasonOf(error)}. Give a file name`, error);
  }
}
