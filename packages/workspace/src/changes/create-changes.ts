/** Records each change of a tool before it happens, so that the person can undo it. */
import type { CallMark } from "@localharness/engine";
import type { Changes, KeepRoom, TurnUse } from "./changes.ts";
import type { ChangesOptions, LoggedCall } from "./record-changes.ts";

const nothing: Changes = {
  of: () => nothing,
  writing: () => Promise.resolve(),
  makingFolders: () => Promise.resolve(),
  removing: () => Promise.resolve(),
  changed: () => Promise.resolve(),
  notes: () => [],
  room: () => undefined,
};

export function createChanges(options: ChangesOptions): Changes {
  const { limits, note } = options;
  return noting(limits.totalBytes === 0 ? nothing : recording(options), note ?? (() => {}));
}

/** Returns a recorder that first calls `note` with the path of each file that is written and each entry that is removed. */
function noting(changes: Changes, note: (path: string) => void): Changes {
  return {
    of: (turn) => noting(changes.of(turn), note),
    writing: async (entry, bytes) => {
      note(entry.path);
      await changes.writing(entry, bytes);
    },
    makingFolders: async (workspace, path, itself) => await changes.makingFolders(workspace, path, itself),
    removing: async (entry) => {
      note(entry.path);
      await changes.removing(entry);
    },
    changed: async (all, missed) => await changes.changed(all, missed),
    notes: () => changes.notes(),
    room: () => changes.room(),
  };
}

function recording(options: ChangesOptions): Changes {
  const uses = new Map<string, TurnUse>();
  let last: TurnUse = { bytes: 0, entries: 0 };
  const { limits, secrets } = options;
  const room = (): KeepRoom => ({ limits, secrets, use: last });
  const of = (turn: CallMark | undefined): Changes => {
    if (turn === undefined) return { ...nothing, of, room };
    const key = JSON.stringify([turn.sessionId, turn.turnId]);
    const use = uses.get(key) ?? { bytes: 0, entries: 0 };
    uses.set(key, use);
    last = use;
    const notes: string[] = [];
    const call: LoggedCall = { words: turn.words, logged: false };
    const recorder = async () =>
      (await import("./record-changes.ts")).recorderOf(options, turn, use, notes, call);
    return {
      of,
      writing: async (entry, bytes) => (await recorder()).writing(entry, bytes),
      makingFolders: async (workspace, path, itself) =>
        (await recorder()).makingFolders(workspace, path, itself),
      removing: async (entry) => (await recorder()).removing(entry),
      changed: async (all, missed) => (await recorder()).changed(all, missed),
      notes: () => notes,
      room,
    };
  };
  return of(undefined);
}
