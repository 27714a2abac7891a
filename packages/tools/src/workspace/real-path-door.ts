/**
 * The door where paths of descriptors do not exist (macOS, Windows): real paths, compared again after each open.
 * Weaker than the other one: someone who exchanges folders at the right moment can still win a race.
 */
import { realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { type Door, isSystemTree, type Probe, pathInside } from "./door.ts";

/** Throws a system error when the root cannot be resolved. */
export function openRealPathDoor(path: string): Door {
  const root = realpathSync(path);
  return { root, processBase: root, probe: (relative) => probe(root, relative), close: () => {} };
}

function probe(root: string, relative: string): Probe {
  try {
    const absolute = realpathSync(join(root, ...relative.split("/")));
    const path = pathInside(root, absolute);
    if (path === undefined || isSystemTree(absolute)) {
      return { kind: "outside" };
    }
    const stats = statSync(absolute);
    const hold = { base: absolute, stats, close: () => {} };
    return { kind: "inside", path: path.split(sep).join("/"), hold };
  } catch (error) {
    return { kind: "error", error };
  }
}
