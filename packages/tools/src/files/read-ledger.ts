/** What the model has seen of each file, so that nothing is overwritten unseen and no line number is stale. */
import { type Failure, refused } from "../outcome.ts";

interface Known {
  hash: string;
  /** Changes of the number of lines since the last read, by our own edits: everything from `line` on has moved. */
  shifts: { line: number; by: number }[];
}

export interface ReadLedger {
  /** The model was shown this content. */
  read(path: string, bytes: Uint8Array): Promise<void>;
  /** A tool wrote this content. `shift` says from which line of the old file on the numbers moved. */
  wrote(
    path: string,
    bytes: Uint8Array,
    shift?: { readonly line: number; readonly by: number },
  ): Promise<void>;
  forget(path: string): void;
  /** The failure to answer with when the file is not as the model last saw it. */
  checkFresh(path: string, bytes: Uint8Array): Promise<Failure | undefined>;
  /** True when the model was shown the file, or wrote it, in this session. */
  knows(path: string): boolean;
  /** The failure for a line number that our own earlier edits have moved since the model read the file. */
  checkLine(path: string, line: number): Failure | undefined;
}

export function createReadLedger(): ReadLedger {
  const known = new Map<string, Known>();
  return {
    read: async (path, bytes) => {
      known.set(path, { hash: await hashOf(bytes), shifts: [] });
    },
    wrote: async (path, bytes, shift) => {
      const shifts = shift === undefined ? [] : [...(known.get(path)?.shifts ?? []), shift];
      known.set(path, { hash: await hashOf(bytes), shifts });
    },
    forget: (path) => {
      known.delete(path);
    },
    knows: (path) => known.has(path),
    checkFresh: async (path, bytes) => {
      const entry = known.get(path);
      return entry === undefined || entry.hash === (await hashOf(bytes)) ? undefined : changed(path);
    },
    checkLine: (path, line) => {
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

async function hashOf(bytes: Uint8Array): Promise<string> {
  const { hash } = await import("node:crypto");
  return hash("sha256", bytes, "base64");
}
