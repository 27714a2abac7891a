/**
 * Notes which files of a workspace tools have written. After a write, a remembered answer about a program that may load any file
 * no longer holds.
 */
import { createHash, randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface ToolWrites {
  /** Notes that a tool is about to write this file. Never throws. */
  note(path: string): void;
  /** Returns a text that changes with each write to a file that is not in `except`. It is empty before the first write. */
  mark(except: readonly string[]): string;
}

const maxBytes = 256 * 1024;

/**
 * Returns the notes of the workspace `name`. They are kept in the state folder, because a remembered answer outlives the
 * session.
 */
export function createToolWrites(stateFolder: string, name: string): ToolWrites {
  const folder = join(stateFolder, "written");
  const file = join(folder, name);
  /** The last note that could not be saved. */
  let unkept = "";
  return {
    note(path) {
      const line = `${JSON.stringify([path, randomUUID()])}\n`;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        if (sizeOf(file) > maxBytes) shorten(file);
        appendFileSync(file, line, { mode: 0o600 });
      } catch {
        unkept = line;
      }
    },
    mark(except) {
      const kept = linesOf(file).filter(
        (line) => !except.some((path) => line.startsWith(`[${JSON.stringify(path)},`)),
      );
      const all = [...kept, unkept].filter((line) => line !== "");
      return all.length === 0 ? "" : createHash("sha256").update(all.join("\n")).digest("hex");
    },
  };
}

/** Replaces all notes by one new note. Answers that depend on the old notes no longer hold. */
function shorten(file: string): void {
  const next = `${file}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify(["", randomUUID()])}\n`, { mode: 0o600 });
  renameSync(next, file);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function linesOf(file: string): readonly string[] {
  if (sizeOf(file) === 0) return [];
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    // Notes that cannot be read may name any file, so a new random note is returned.
    return [randomUUID()];
  }
}
