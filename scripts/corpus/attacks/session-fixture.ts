/**
 * Converts the session files of a case (`row.ts`), which have a neutral format, to this program's format. Damaged lines are
 * damaged in the same way.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import { openKeptSessions } from "localharness";
import type { Place } from "./place.ts";

/** Opens the sessions of the place's workspace. */
export function openSessionsOf(place: Place) {
  const stateFolder = join(place.home, ".local", "state", "localharness");
  const parts = { stateFolder, workspace: place.ws, systemPrompt: "Begin." };
  return openKeptSessions({ ...parts, mask: (text) => text, secrets: [] });
}

/** Converts the session files of a place and returns the paths of the new files. The generic files stay; locks are moved. */
export function translateSessions(place: Place): readonly string[] {
  const generic = join(place.home, ".local", "state", "localharness", "sessions");
  const { folder } = openSessionsOf(place);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return readdirSync(generic, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ name }) => {
      const path = join(folder, name);
      if (name.endsWith(".lock")) renameSync(join(generic, name), path);
      if (!name.endsWith(".jsonl")) return [];
      const bytes = readFileSync(join(generic, name));
      writeFileSync(path, translate(bytes.toString("latin1"), name.slice(0, -6), place.ws), "latin1");
      return [path];
    });
}

function translate(text: string, id: string, workspace: string): string {
  if (text === "") return "";
  const lines = text.split("\n");
  const messages = lines.flatMap((line) => seqOf(line) ?? []);
  const shift = messages.includes(0) ? 1 : 0;
  const header = (version: unknown) =>
    JSON.stringify({ localharness: "session", version, id, workspace, created: 1 });
  const own = lines.map((line) => {
    const value = jsonIn(line);
    if (value?.["type"] === "header") return header(value["version"]);
    if (value?.["type"] === "message") return recordsOf(value, shift);
    return seqOf(line) === undefined
      ? line
      : `{"seq":${2 * ((seqOf(line) ?? 0) + shift)},"time":1,"turnId":"t","type":"user-mess`;
  });
  const begin = own.some((line) => line.startsWith('{"localharness"')) ? [] : [header(1)];
  return [...begin, startLine(workspace), ...own].join("\n");
}

function startLine(workspace: string): string {
  const setting = { model: "m", provider: "p", workspace, mode: "default", tools: [] };
  return JSON.stringify({
    seq: 1,
    time: 1,
    turnId: "",
    type: "session-start",
    ...setting,
    systemPrompt: "Begin.",
  });
}

/** Returns records with two `seq` numbers for a message, so that a missing message leaves the same gap for every role. */
function recordsOf({ seq, role, text }: JsonObject, shift: number): string {
  const first = 2 * (Number(seq) + shift);
  const common = { time: 1, turnId: `turn-${first}` };
  if (role === "user") {
    return JSON.stringify({
      seq: first + 1,
      first,
      ...common,
      type: "user-message",
      content: text,
      from: "person",
    });
  }
  const answer = { seq: first, ...common, type: "text-delta", text };
  const end = { seq: first + 1, ...common, type: "model-end", stopReason: "stop" };
  return `${JSON.stringify(answer)}\n${JSON.stringify(end)}`;
}

function seqOf(line: string): number | undefined {
  const found = /^\{"type": ?"message", ?"seq": ?(\d+)/.exec(line)?.[1];
  return found === undefined ? undefined : Number(found);
}

function jsonIn(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value as JsonObject) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
