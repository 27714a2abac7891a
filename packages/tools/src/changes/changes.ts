/** Puts what the tools of a session change on record before they change it, so that a person can undo it. */
import type { ToolContext } from "@localharness/engine";
import type { Entry } from "../workspace/handles.ts";
import type { Workspace } from "../workspace/workspace.ts";

type TurnMark = NonNullable<ToolContext["turn"]>;

export interface Changes {
  /** The same for the calls of one turn; without a turn nothing is put on record. */
  of(turn: TurnMark | undefined): Changes;
  /** `bytes` are about to stand at the entry. */
  writing(entry: Entry, bytes: Uint8Array): Promise<void>;
  /** What is missing of the folders above `path`, and with `itself` of that one, is about to be made. */
  makingFolders(workspace: Workspace, path: string, itself: boolean): Promise<void>;
  /** The entry is about to be removed, a folder with all in it. */
  removing(entry: Entry): Promise<void>;
  /** What will not be undone, and why. A change is never refused because it cannot be put on record. */
  notes(): readonly string[];
}

export interface ChangeLimits {
  /** A larger file is not kept. */
  readonly fileBytes: number;
  /** Contents kept for one turn. */
  readonly turnBytes: number;
  /** Files, links and folders of one turn. */
  readonly turnEntries: number;
  /** Over all sessions; the oldest go first. 0 keeps nothing at all. */
  readonly totalBytes: number;
}

export const usualChangeLimits: ChangeLimits = {
  fileBytes: 16 * 1024 * 1024,
  turnBytes: 64 * 1024 * 1024,
  turnEntries: 5_000,
  totalBytes: 256 * 1024 * 1024,
};

/** What a turn has used of its limits. */
export interface TurnUse {
  bytes: number;
  entries: number;
}

export interface ChangesOptions {
  readonly stateFolder: string;
  /** Real path. */
  readonly workspace: string;
  readonly limits: ChangeLimits;
  /** Known keys: a file that holds one is not copied. */
  readonly secrets: readonly string[];
}

const nothing: Changes = {
  of: () => nothing,
  writing: () => Promise.resolve(),
  makingFolders: () => Promise.resolve(),
  removing: () => Promise.resolve(),
  notes: () => [],
};

export function createChanges(options: ChangesOptions): Changes {
  if (options.limits.totalBytes === 0) {
    return nothing;
  }
  const uses = new Map<string, TurnUse>();
  const of = (turn: TurnMark | undefined): Changes => {
    if (turn === undefined) {
      return { ...nothing, of };
    }
    const key = JSON.stringify([turn.sessionId, turn.turnId]);
    const use = uses.get(key) ?? { bytes: 0, entries: 0 };
    uses.set(key, use);
    const notes: string[] = [];
    const recorder = async () => (await import("./record-changes.ts")).recorderOf(options, turn, use, notes);
    return {
      of,
      writing: async (entry, bytes) => (await recorder()).writing(entry, bytes),
      makingFolders: async (workspace, path, itself) =>
        (await recorder()).makingFolders(workspace, path, itself),
      removing: async (entry) => (await recorder()).removing(entry),
      notes: () => notes,
    };
  };
  return of(undefined);
}
