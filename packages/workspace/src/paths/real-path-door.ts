/**
 * Opens paths on systems without descriptor paths (macOS, Windows). Resolves real paths and compares them again after each
 * open. This is weaker than the Linux version: an attacker who replaces a folder at the right moment can win a race.
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

/** Opens the root. Throws the system's error if it cannot be resolved. */
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
    // The native version resolves `..` after following links, instead of removing it from the text first.
    const absolute = realpathSync.native(`${root}${sep}${relative.replaceAll("/", sep)}`);
    const path = pathInside(root, absolute);
    if (path === undefined || isSystemTree(absolute)) return { kind: "outside" };
    if (shut.hold(absolute)) return { kind: "closed" };
    const stats = statSync(absolute);
    const hold = { base: absolute, stats, certain: false, close: () => {} };
    return { kind: "inside", path: path.split(sep).join("/"), hold };
  } catch (error) {
    return { kind: "error", error };
  }
}
