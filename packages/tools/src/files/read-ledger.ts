/** Remembers which content of each file the model has seen, to refuse edits of changed files and stale line numbers. */
import { hash } from "node:crypto";
import { type Failure, refused } from "../outcome.ts";

interface Known {
  hash: string;
  /** Edits since the last read that moved lines: everything from `line` on has moved by `by`. */
  shifts: { line: number; by: number }[];
  /** True after an undo or redo: the line numbers that the model knows belong to another content. */
  putBack?: boolean;
}

export interface ReadLedger {
  /** Records that the model was shown this content. */
  read(path: string, bytes: Uint8Array): Promise<void>;
  /** Records that a tool wrote this content. `shift`: the first line of the old file whose number changed. */
  wrote(
    path: string,
    bytes: Uint8Array,
    shift?: { readonly line: number; readonly by: number },
  ): Promise<void>;
  /**
   * Records that an undo or redo of the person put this content back; without `bytes` it removed the file. The model has
   * not seen the lines as they are now.
   */
  putBack(path: string, bytes: Uint8Array | undefined): Promise<void>;
  forget(path: string): void;
  /** Forgets all files, because the next session has read none. */
  clear(): void;
  /** Returns a failure if the file has changed since the model last saw it. */
  checkFresh(path: string, bytes: Uint8Array): Promise<Failure | undefined>;
  /** Returns true if the model was shown the file, or wrote it, in this session. */
  knows(path: string): boolean;
  /** Returns a failure for a line number that an earlier edit has moved since the model read the file. */
  checkLine(path: string, line: number): Failure | undefined;
}

export function createReadLedger(): ReadLedger {
  const known = new Map<string, Known>();
  return {
    read: async (path, bytes) => {
      known.set(path, { hash: hashOf(bytes), shifts: [] });
    },
    wrote: async (path, bytes, shift) => {
      const before = known.get(path);
      const shifts = shift === undefined ? [] : [...(before?.shifts ?? []), shift];
      const isStale = shift !== undefined && before?.putBack === true;
      known.set(path, { hash: hashOf(bytes), shifts, putBack: isStale });
    },
    putBack: async (path, bytes) => {
      if (!known.has(path)) return;
      if (bytes === undefined) known.delete(path);
      else known.set(path, { hash: hashOf(bytes), shifts: [], putBack: true });
    },
    forget: (path) => {
      known.delete(path);
    },
    clear: () => known.clear(),
    knows: (path) => known.has(path),
    checkFresh: async (path, bytes) => {
      const entry = known.get(path);
      return entry === undefined || entry.hash === hashOf(bytes) ? undefined : changed(path);
    },
    checkLine: (path, line) => {
      if (known.get(path)?.putBack === true) return otherLines(path);
      const shift = known.get(path)?.shifts.find((moved) => moved.by !== 0 && line >= moved.line);
      return shift === undefined ? undefined : moved(path, shift);
    },
  };
}

function changed(path: string): Failure {
  return refused(
    "validation_failed",
    `"${path}" was changed by someone else since you read it; nothing was written. Read it again with read_file, then make the change.`,
  );
}

function moved(path: string, shift: { readonly line: number; readonly by: number }): Failure {
  const by = shift.by > 0 ? `+${shift.by}` : `${shift.by}`;
  return refused(
    "validation_failed",
    `The lines of "${path}" from ${shift.line} on moved by ${by} with an earlier edit; nothing was written. Read it again with read_file for the numbers as they are now.`,
  );
}

function otherLines(path: string): Failure {
  return refused(
    "validation_failed",
    `The person's undo or redo changed "${path}" since you read it; nothing was written. Read it again with read_file for the numbers as they are now.`,
  );
}

function hashOf(bytes: Uint8Array): string {
  return hash("sha256", bytes, "base64");
}
