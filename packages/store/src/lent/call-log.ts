/**
 * Keeps on disk which calls of another machine have begun and how they ended, so that a call that is sent again after a
 * broken connection, or after a restart on either side, runs at most once.
 */
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, fsyncSync, mkdirSync, readFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { isJsonObject, type JsonValue, type ToolResult } from "@localharness/protocol";
import { openPlain, requirePlain } from "@localharness/workspace/files/plain-file";
import { replaceFile } from "@localharness/workspace/files/replace-file";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";

export type LentCallRecord =
  /** The call has begun and has no recorded result: it runs, the program ended while it ran, or recording its end failed. */
  | { readonly state: "begun"; readonly hash: string }
  | { readonly state: "ended"; readonly hash: string; readonly result: ToolResult };

/** A log of calls by id. The id of a call is `SENDER:NUMBER`, with a number above 0. */
export interface CallLog {
  /**
   * Returns the call of this id. If the log does not have it, returns `forgotten` if its number is at most that of a removed
   * call of the same sender, else undefined.
   */
  find(id: string): LentCallRecord | "forgotten" | undefined;
  /**
   * Records that the call begins. `hash` identifies what is called; `find` returns it. The record is on disk when this
   * returns. Throws if it cannot be written in full.
   */
  begin(id: string, hash: string): void;
  /**
   * Records the result; does nothing if the call has not begun. Throws if the record cannot be written in full; `find` then
   * returns the result until the log is closed.
   */
  end(id: string, result: ToolResult): void;
  close(): void;
}

/** The maximum number of calls in a log that is opened. A log with more loses the older half. */
const maxCalls = 2_000;
/** The maximum length, in UTF-16 units, of a log that is opened. A longer log loses the older half. */
const maxBytes = 32 * 1024 * 1024;

type Line =
  | { readonly id: string; readonly hash: string }
  | { readonly id: string; readonly result: ToolResult }
  /** Calls of this sender were removed. `upTo` is the highest of their numbers. */
  | { readonly sender: string; readonly upTo: number };

/** Returns the path of the log of the calls that one caller makes in a lent folder. `folder` is its real path. */
export function callLogPath(stateFolder: string, folder: string, caller: string): string {
  const name = createHash("sha256").update(`${folder}\0${caller}`).digest("hex").slice(0, 32);
  return join(stateFolder, "lent", `${name}.jsonl`);
}

/**
 * Opens the log, and removes the older half of the calls if it is too long. Rejects with the system's error, or with an
 * error if the path is not a regular file.
 */
export async function openCallLog(path: string, journal: WriteJournal): Promise<CallLog> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
  const flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW;
  let descriptor = openPlain(path, flags, 0o600);
  requirePlain(fstatSync(descriptor));
  const kept = readLines(readFileSync(descriptor, "utf8"));
  if (shorten(kept)) {
    closeSync(descriptor);
    await replaceFile(path, Buffer.from(linesOf(kept).map(lineText).join("")), { journal });
    descriptor = openPlain(path, flags, 0o600);
  }
  const append = (line: Line) => {
    // The line break at the beginning ends a line that a killed process has left incomplete.
    const bytes = Buffer.from(`\n${lineText(line)}`);
    if (writeSync(descriptor, bytes) !== bytes.length) {
      throw new Error("the disk took only a part of the record");
    }
  };
  return {
    find(id) {
      const [sender = "", number = ""] = id.split(":");
      const upTo = kept.forgotten.get(sender) ?? 0;
      return kept.calls.get(id) ?? (Number(number) <= upTo ? "forgotten" : undefined);
    },
    begin(id, hash) {
      append({ id, hash });
      fsyncSync(descriptor);
      kept.calls.set(id, { state: "begun", hash });
    },
    end(id, result) {
      const begun = kept.calls.get(id);
      if (begun === undefined) return;
      kept.calls.set(id, { state: "ended", hash: begun.hash, result });
      append({ id, result });
    },
    close: () => closeSync(descriptor),
  };
}

interface Kept {
  readonly calls: Map<string, LentCallRecord>;
  /** For each sender, the highest number of a call that was forgotten. */
  readonly forgotten: Map<string, number>;
  bytes: number;
}

function readLines(text: string): Kept {
  const kept: Kept = { calls: new Map(), forgotten: new Map(), bytes: text.length };
  for (const line of text.split("\n")) {
    const read = lineOf(line);
    if (read === undefined) continue;
    if ("sender" in read) kept.forgotten.set(read.sender, read.upTo);
    else if ("hash" in read) kept.calls.set(read.id, { state: "begun", hash: read.hash });
    else {
      const begun = kept.calls.get(read.id);
      if (begun === undefined) continue;
      kept.calls.set(read.id, { state: "ended", hash: begun.hash, result: read.result });
    }
  }
  return kept;
}

function lineOf(text: string): Line | undefined {
  if (text === "") return undefined;
  try {
    const value = JSON.parse(text) as JsonValue;
    if (!isJsonObject(value)) return undefined;
    const { id, hash, result, sender, upTo } = value;
    if (typeof sender === "string" && typeof upTo === "number") return { sender, upTo };
    if (typeof id !== "string") return undefined;
    if (typeof hash === "string") return { id, hash };
    return isJsonObject(result) ? { id, result: result as unknown as ToolResult } : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the older half of the calls if there are too many, or if the file is too long. Returns true if it did. */
function shorten(kept: Kept): boolean {
  if (kept.calls.size <= maxCalls && kept.bytes <= maxBytes) return false;
  const old = [...kept.calls.keys()].slice(0, Math.ceil(kept.calls.size / 2));
  for (const id of old) {
    kept.calls.delete(id);
    const [sender = "", number = "0"] = id.split(":");
    kept.forgotten.set(sender, Math.max(kept.forgotten.get(sender) ?? 0, Number(number)));
  }
  return true;
}

function linesOf({ calls, forgotten }: Kept): readonly Line[] {
  return [
    ...[...forgotten].map(([sender, upTo]) => ({ sender, upTo })),
    ...[...calls].flatMap(([id, call]): readonly Line[] => [
      { id, hash: call.hash },
      ...(call.state === "ended" ? [{ id, result: call.result }] : []),
    ]),
  ];
}

function lineText(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}
