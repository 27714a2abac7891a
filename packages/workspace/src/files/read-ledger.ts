/** Remembers which content of each file the model has seen, to refuse edits of changed files and stale line numbers. */
import { hash } from "node:crypto";
import type { LineRange } from "@localharness/engine";
import { defined } from "@localharness/protocol";
import { type Failure, refused } from "../outcome.ts";

interface Known {
  hash: string;
  /** Edits since the last read that moved lines: everything from `line` on has moved by `by`. */
  shifts: { line: number; by: number }[];
  /** True after an undo or redo: the line numbers that the model knows belong to another content. */
  putBack?: boolean;
  /** The lines that the model was shown, if a curator left out other lines; absent if no lines were left out. */
  shown?: readonly LineRange[];
}

export interface ReadLedger {
  /** Records that the model was shown this content. */
  read(path: string, bytes: Uint8Array): Promise<void>;
  /**
   * Records that the model was shown only these lines of the content. If the model already knows the whole content, nothing
   * changes.
   */
  readPart(path: string, bytes: Uint8Array, shown: readonly LineRange[]): Promise<void>;
  /** Returns true if a curator left out lines of the file, and since then no read showed it whole and no tool wrote it whole. */
  knowsPart(path: string): boolean;
  /**
   * If the model knows the file only in part, returns a failure if one of the lines `first` to `last` was not shown, or was
   * moved by an edit or by an undo or redo since.
   */
  checkShown(path: string, first: number, last: number): Failure | undefined;
  /**
   * Records that a tool wrote this content. `shift` has the first line of the old file whose number changed, and the size of
   * the change. Without `shift`, the model counts as knowing the whole content.
   */
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
  /** Forgets all files. Call it when a new session begins. */
  clear(): void;
  /**
   * Returns a failure if the content is not the one that was recorded last, so that someone else changed the file. Returns
   * undefined if nothing is recorded. An undo or redo counts as recorded.
   */
  checkFresh(path: string, bytes: Uint8Array): Promise<Failure | undefined>;
  /** Returns true if the model was shown the file, or wrote it, in this session. */
  knows(path: string): boolean;
  /** Returns a failure for a line that an edit has moved since the model read it, and for any line after an undo or redo. */
  checkLine(path: string, line: number): Failure | undefined;
}

export function createReadLedger(): ReadLedger {
  const known = new Map<string, Known>();
  return {
    read: async (path, bytes) => {
      known.set(path, { hash: hashOf(bytes), shifts: [] });
    },
    readPart: async (path, bytes, shown) => {
      const before = known.get(path);
      const isSame = before?.hash === hashOf(bytes) && before.shifts.length === 0 && before.putBack !== true;
      if (isSame && before.shown === undefined) return;
      const earlier = isSame ? (before.shown ?? []) : [];
      known.set(path, { hash: hashOf(bytes), shifts: [], shown: [...earlier, ...shown] });
    },
    knowsPart: (path) => known.get(path)?.shown !== undefined,
    checkShown: (path, first, last) => {
      const shown = known.get(path)?.shown;
      if (shown === undefined) return undefined;
      for (let line = first; line <= last; line += 1) {
        if (!shown.some((range) => line >= range.first && line <= range.last)) {
          return leftOut(path, line, first, last);
        }
      }
      return undefined;
    },
    wrote: async (path, bytes, shift) => {
      const before = known.get(path);
      const shifts = shift === undefined ? [] : [...(before?.shifts ?? []), shift];
      const isStale = shift !== undefined && before?.putBack === true;
      const shown =
        shift === undefined ? undefined : before?.shown?.flatMap((range) => unmoved(range, shift));
      known.set(path, { hash: hashOf(bytes), shifts, putBack: isStale, ...defined({ shown }) });
    },
    putBack: async (path, bytes) => {
      if (!known.has(path)) return;
      if (bytes === undefined) known.delete(path);
      else
        known.set(path, {
          hash: hashOf(bytes),
          shifts: [],
          putBack: true,
          ...(known.get(path)?.shown === undefined ? {} : { shown: [] }),
        });
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

/**
 * Returns the range after an edit: its lines before `line`, and the lines that the edit added there. Returns an empty list if
 * the edit moved all lines of the range.
 */
function unmoved(
  range: LineRange,
  { line, by }: { readonly line: number; readonly by: number },
): LineRange[] {
  if (by === 0 || range.last < line - 1) return [range];
  const last = line - 1 + by;
  return range.first <= last && range.first < line ? [{ first: range.first, last }] : [];
}

function leftOut(path: string, line: number, first: number, last: number): Failure {
  return refused(
    "validation_failed",
    `Line ${line} of "${path}" was left out when you read the file; nothing was written. Read it with read_file, offset=${first} and end_line=${last}, then make the change.`,
  );
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
