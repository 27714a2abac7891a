/**
 * Closes the objects of the repository for commands if a rule denies reading a tracked file: its contents are in the objects too, and a
 * script could read them there.
 */
import { join, relative } from "node:path";
import type { ClosedPlaces } from "@localharness/engine";
import { gitPlaceAt } from "@localharness/workspace/git-files/git-folder";
import { createReadStaged, type StagedEntries } from "@localharness/workspace/git-files/staged-entries";
import { pathInside } from "@localharness/workspace/paths/door";
import { statsAt } from "@localharness/workspace/paths/stats-at";
import { repositoriesIn, rootOfRepository } from "./outer-repository.ts";

export interface ClosedHistory {
  /** Returns the folders of objects to close, relative to the workspace or absolute; none if no rule denies reading a tracked file. */
  closedBy(places: ClosedPlaces | undefined): readonly string[];
}

export interface ClosedHistoryOptions {
  /** Returns the closed names in subfolders, by which the repositories there are known. */
  nested?(): readonly string[];
  /** True for an added folder, in which rules know paths as absolute ones. The folders of objects are absolute too then. */
  readonly isAdded?: boolean;
}

/** `workspace` is the real path of the workspace, or of an added folder. */
export function createClosedHistory(
  workspace: string,
  { nested = () => [], isAdded = false }: ClosedHistoryOptions = {},
): ClosedHistory {
  const histories = new Map<string, (places: ClosedPlaces) => boolean>();
  const readStaged = createReadStaged();
  const hasDenied = (home: string, own: string, places: ClosedPlaces) => {
    const history = histories.get(home) ?? createHistory({ workspace, isAdded }, home, () => readStaged(own));
    histories.set(home, history);
    return history(places);
  };
  return {
    closedBy(places) {
      if (places === undefined || !places.mayHold(isAdded ? workspace : ".", "read")) return [];
      const root = rootOfRepository(workspace);
      const homes = [...(root === undefined ? [] : [root]), ...repositoriesIn(workspace, nested())];
      return homes.flatMap((home) => {
        const folder = gitPlaceAt(home);
        if (folder === undefined || !hasDenied(home, folder.own, places)) return [];
        return ["objects", "lfs"]
          .map((name) => join(folder.shared, name))
          .filter((path) => statsAt(path) !== undefined)
          .map((path) => (isAdded ? path : relative(workspace, path)));
      });
    },
  };
}

interface Folder {
  readonly workspace: string;
  readonly isAdded: boolean;
}

/** Returns a function that is true if the history of the repository in `home` may have a path that cannot be read. */
function createHistory({ workspace, isAdded }: Folder, home: string, readStaged: () => StagedEntries) {
  const top = isAdded ? workspace : undefined;
  /** Denied paths that were tracked before. They are in the history when they are tracked no more. */
  const before = new Set<string>();
  let known: { readonly of: StagedEntries; readonly paths: readonly string[] } | undefined;
  return (places: ClosedPlaces): boolean => {
    const staged = readStaged();
    if (known?.of !== staged) known = { of: staged, paths: inWorkspace(workspace, home, staged) };
    for (const path of known.paths) if (isDenied(places, path, top)) before.add(path);
    return !staged.whole || [...before].some((path) => isDenied(places, path, top));
  };
}

function inWorkspace(workspace: string, home: string, { entries }: StagedEntries): readonly string[] {
  return entries.flatMap(({ path }) => {
    const absolute = join(home, path);
    // A folder of a sparse index may hold the workspace.
    const holds = path.endsWith("/") && pathInside(absolute, workspace) !== undefined;
    return holds ? ["./"] : (pathInside(workspace, absolute) ?? []);
  });
}

/** Returns true if the path, or a folder that has it, cannot be read. Of a sparse index, a folder stands for all that is in it. */
function isDenied(places: ClosedPlaces, path: string, top: string | undefined): boolean {
  const named = (below: string) => (top === undefined ? below : join(top, below));
  const parts = path.split("/").filter((part) => part !== "");
  const isFolder = path.endsWith("/");
  return (
    parts.some((_, index) => places.closes(named(parts.slice(0, index + 1).join("/")), "read")) ||
    (isFolder && places.mayHold(named(parts.join("/")), "read"))
  );
}
