/** Keeps the paths that tools have changed, apart for each folder whose snapshots have to leave them out. */
import type { Workspace } from "../paths/workspace.ts";

export interface NotedPaths {
  /** Notes a path as the workspace knows it: relative to it, or absolute in an added folder. */
  note(path: string): void;
  /** Returns the noted paths in a folder, relative to it. The snapshots take out those that they have seen. */
  in(root: string): Set<string>;
}

export function createNotedPaths({ placeOf }: Pick<Workspace, "placeOf">): NotedPaths {
  const byRoot = new Map<string, Set<string>>();
  const of = (root: string) => {
    const noted = byRoot.get(root) ?? new Set<string>();
    byRoot.set(root, noted);
    return noted;
  };
  return {
    note(path) {
      const place = placeOf(path);
      of(place.root).add(place.path);
    },
    in: of,
  };
}
