/**
 * The door where paths of descriptors do not exist (macOS, Windows): real paths, compared again after each open.
 * Weaker than the other one: someone who exchanges folders at the right moment can still win a race.
 */
import { realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import {
  type ClosedFolders,
  closedFolders,
  type Door,
  isSystemTree,
  type Probe,
  pathInside,
} from "./door.ts";

/** Throws a system error when the root cannot be resolved. */
export function openRealPathDoor(path: string, closed: readonly string[] = []): Door {
  const root = realpathSync(path);
  const shut = closedFolders(closed);
  return {
    root,
    processBase: root,
    probe: (relative) => probe(root, relative, shut),
    isClosed: (relative) => shut.hold(join(root, relative)),
    holdsClosed: (relative) => shut.lieBelow(join(root, relative)),
    close: () => {},
  };
}

function probe(root: string, relative: string, shut: ClosedFolders): Probe {
  try {
    // The system's own: it goes up from where a link leads, and does not take `..` out of the text before.
    const absolute = realpathSync.native(`${root}${sep}${relative.replaceAll("/", sep)}`);
    const path = pathInside(root, absolute);
    if (path === undefined || isSystemTree(absolute)) {
      return { kind: "outside" };
    }
    if (shut.hold(absolute)) {
      return { kind: "closed" };
    }
    const stats = statSync(absolute);
    const hold = { base: absolute, stats, certain: false, close: () => {} };
    return { kind: "inside", path: path.split(sep).join("/"), hold };
  } catch (error) {
    return { kind: "error", error };
  }
}
