/** Finds the door behind which a path is: that of the workspace, or that of a folder which the person added. */
import { found, type Outcome } from "../outcome.ts";
import type { AddedFolders } from "./added-folders.ts";
import { checkPath } from "./check-path.ts";
import type { Door } from "./door.ts";
import type { Entry } from "./handles.ts";
import type { Permits } from "./workspace.ts";

export interface Reach {
  readonly door: Door;
  readonly segments: readonly string[];
  /** Returns the name of a path of the door: as it is in the workspace, absolute in an added folder. */
  named(path: string): string;
}

/** Returns where the path leads by its text. Fails as `checkPath` does. */
export function reachPath(path: string, door: Door, added: AddedFolders | undefined): Outcome<Reach> {
  const place = added?.find(path);
  if (place === undefined) {
    const checked = checkPath(path, door.root, added?.list());
    return checked.ok ? found({ door, segments: checked.value, named: same }) : checked;
  }
  const { root } = place.folder;
  const checked = checkPath(place.path === "" ? "." : place.path, root);
  return checked.ok ? found({ door: place.door, segments: checked.value, named: namesIn(root) }) : checked;
}

/** Returns what was opened with its name as the model gets it. */
export function renamed<T extends { readonly path: string }>(
  outcome: Outcome<T>,
  { named }: Reach,
): Outcome<T> {
  if (!outcome.ok || named === same) return outcome;
  return found({ ...outcome.value, path: named(outcome.value.path) });
}

export function renamedEntry(outcome: Outcome<Entry>, reach: Reach): Outcome<Entry> {
  const entry = renamed(outcome, reach);
  if (!entry.ok || reach.named === same) return entry;
  const { directory } = entry.value;
  return found({ ...entry.value, directory: { ...directory, path: reach.named(directory.path) } });
}

/** Returns the permits for the paths of the door. */
export function permitsOf(permits: Permits, { named }: Reach): Permits {
  return named === same ? permits : (path, onTheWay) => permits(named(path), onTheWay);
}

function same(path: string): string {
  return path;
}

function namesIn(root: string): (path: string) => string {
  const prefix = root.endsWith("/") ? root : `${root}/`;
  return (path) => (path === "." || path === "" ? root : prefix + path);
}
