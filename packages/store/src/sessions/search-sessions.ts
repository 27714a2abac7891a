/** Finds the sessions that contain all given words in their name, messages, tool calls or results. */
import { join } from "node:path";
import type { SessionEvent } from "@localharness/protocol";
import { readLines } from "../kept-file/read-lines.ts";
import type { ListedSession } from "./list-sessions.ts";
import { sessionEnding } from "./session-place.ts";
import { readRecord } from "./session-record.ts";

export interface FoundSession extends ListedSession {
  /** The newest text with the first word, cut around the word, on one line. */
  readonly excerpt: string;
}

const excerptChars = 120;

/**
 * Returns the sessions that contain all words, in the order of `sessions`; the words may be in different texts. Ignores case
 * and matches parts of words. Skips files that cannot be read. An aborted search returns what it has found so far.
 */
export async function searchSessions(
  folder: string,
  sessions: readonly ListedSession[],
  words: string,
  signal?: AbortSignal,
): Promise<readonly FoundSession[]> {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const found: FoundSession[] = [];
  for (const session of sessions) {
    if (signal?.aborted) break;
    const excerpt = await searchOne(join(folder, session.id + sessionEnding), session, wanted, signal);
    if (excerpt !== undefined) found.push({ ...session, excerpt });
  }
  return found;
}

async function searchOne(
  path: string,
  { id, name }: ListedSession,
  words: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const missing = new Set(words);
  let excerpt = "";
  const look = (text: string): void => {
    const lower = text.toLowerCase();
    for (const word of missing) if (lower.includes(word)) missing.delete(word);
    const at = lower.indexOf(words[0] ?? "");
    if (at >= 0) excerpt = excerptAt(text, at);
  };
  look(name);
  // The words as JSON writes them, with quotes and control characters escaped. They are searched in the raw line, so
  // that most lines need not be parsed.
  const written = words.map((word) => JSON.stringify(word).slice(1, -1));
  try {
    for await (const lines of readLines(path, signal)) {
      for (const { text } of lines) {
        const lower = text.toLowerCase();
        if (!written.some((word) => lower.includes(word))) continue;
        const record = readRecord(text, id);
        if (record.kind === "event") for (const said of textsOf(record.event)) look(said);
      }
    }
  } catch {
    return undefined;
  }
  return missing.size === 0 ? excerpt : undefined;
}

/** Returns the texts of an event that a search covers. */
function textsOf(event: SessionEvent): readonly string[] {
  switch (event.type) {
    case "user-message":
      return [event.content];
    case "text-delta":
    case "reasoning-delta":
      return [event.text];
    case "tool-call-end":
      return [
        typeof event.arguments === "string" ? event.arguments : JSON.stringify(event.arguments),
        event.name,
      ];
    case "tool-result":
      return [event.result.data ?? "", event.result.error_message ?? ""];
    default:
      return [];
  }
}

function excerptAt(text: string, at: number): string {
  const from = Math.max(0, at - excerptChars / 3);
  const piece = text
    .slice(from, from + excerptChars)
    .replace(/\s+/g, " ")
    .trim();
  return `${from > 0 ? "…" : ""}${piece}${from + excerptChars < text.length ? "…" : ""}`;
}
