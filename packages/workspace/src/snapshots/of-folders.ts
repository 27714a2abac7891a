/** Joins the snapshots of the workspace and of the folders that the person added, so that undo covers commands in all of them. */
import { reasonOf } from "@localharness/protocol";
import type { Changes } from "../changes/changes.ts";
import type { Workspace } from "../paths/workspace.ts";
import type { CommandChanges, CoveredPath, Snapshots } from "./snapshots.ts";

export interface FolderSnapshots {
  readonly workspace: Pick<Workspace, "root" | "added" | "placeOf">;
  readonly changes: Changes;
  /** Opens the snapshots of one folder, which record changes in `changes`. Nothing is read before their first use. */
  open(root: string, changes: Changes): Snapshots;
}

/** Returns the snapshots of all folders. Those of a folder stay open when the person takes the folder away. */
export function ofFolders({ workspace, changes, open }: FolderSnapshots): Snapshots {
  const opened = new Map<string, Snapshots>();
  const of = (root: string): Snapshots => {
    const its = opened.get(root) ?? open(root, root === workspace.root ? changes : changesIn(changes, root));
    opened.set(root, its);
    return its;
  };
  const byFolder = (places: readonly CoveredPath[]) =>
    Map.groupBy(
      places.map((place) => ({ ...place, ...workspace.placeOf(place.path) })),
      ({ root }) => root,
    );
  return {
    get keeping() {
      return of(workspace.root).keeping;
    },
    async covers(places) {
      const groups = [...byFolder(places)];
      // Each folder counts its contents by itself, so that several may have more than undo keeps for one turn.
      if (groups.length > 1) return false;
      const [root, its] = groups[0] ?? [workspace.root, []];
      return await of(root).covers(its);
    },
    async before(context, needed) {
      const groups = byFolder(needed);
      const added = workspace.added().filter(({ writable }) => writable);
      const begun: { readonly root: string; readonly changes: CommandChanges }[] = [];
      const notes: string[] = [];
      for (const root of [workspace.root, ...added.map((one) => one.root)]) {
        const its = groups.get(root) ?? [];
        const found = await of(root)
          .before(context, its)
          .catch((error: unknown) => {
            if (its.length === 0 && root !== workspace.root) return void notes.push(notUndone(root, error));
            // The command does not run.
            for (const { changes } of begun) changes.end();
            throw error;
          });
        if (found !== undefined) begun.push({ root, changes: found });
      }
      return begun.length === 0 ? undefined : joined(begun, notes);
    },
    close() {
      for (const its of opened.values()) its.close();
    },
  };
}

function joined(
  begun: readonly { readonly root: string; readonly changes: CommandChanges }[],
  before: readonly string[],
): CommandChanges {
  return {
    async record() {
      const notes = [...before];
      for (const { root, changes } of begun) {
        notes.push(...(await changes.record().catch((error: unknown) => [notUndone(root, error)])));
      }
      return [...new Set(notes)];
    },
    async leaveOut(why) {
      const [first, ...others] = begun;
      for (const { changes } of others) changes.end();
      await first?.changes.leaveOut(why);
    },
    async leaveToJob(job, ended) {
      for (const { changes } of begun) await changes.leaveToJob(job, ended);
    },
    end() {
      for (const { changes } of begun) changes.end();
    },
  };
}

function notUndone(root: string, error: unknown): string {
  return `what the command changes in ${root} cannot be undone: ${reasonOf(error)}`;
}

/** Returns a recorder to which paths are relative to the added folder. */
function changesIn(changes: Changes, root: string): Changes {
  return {
    ...changes,
    of: (turn) => changesIn(changes.of(turn), root),
    changed: (all, missed) =>
      changes.changed(
        all.map((one) => ({ ...one, path: `${root}/${one.path}` })),
        missed,
      ),
  };
}
