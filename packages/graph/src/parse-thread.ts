/**
 * Runs the thread that parses files: it takes a text and posts what the text defines and uses. The owner of the thread
 * ends it if a parse hangs.
 */
import { parentPort } from "node:worker_threads";
import { languageOf } from "./languages/table.ts";
import { parseSource } from "./parse/parse-source.ts";
import type { ParseAnswer, ParseRequest } from "./threads/parse-messages.ts";

async function answer({ path, text, known }: ParseRequest): Promise<ParseAnswer> {
  const language = languageOf(path);
  if (language === undefined) return { kind: "skipped", reason: "its language is not known" };
  const outcome = await parseSource(text, language, known);
  if (outcome.kind !== "parsed") return outcome;
  // The bytes are moved, not copied, because the main thread only passes them on.
  return { kind: "parsed", facts: new Uint8Array(new TextEncoder().encode(JSON.stringify(outcome.facts))) };
}

parentPort?.on("message", async (request: ParseRequest) => {
  const reply = await answer(request);
  parentPort?.postMessage(reply, reply.kind === "parsed" ? [reply.facts.buffer as ArrayBuffer] : []);
});
