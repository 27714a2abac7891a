/**
 * The door on Linux: the kernel resolves the whole path in one open that only takes hold (`O_PATH`), then says where it
 * ended. Everything after goes through that descriptor, so that nothing can be exchanged between check and use.
 */
import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { type Door, type Hold, isSystemTree, type Probe, pathInside } from "./door.ts";

/** Missing in `fs.constants`; the same number on every Linux that Node runs on. */
const holdOnly = 0o10000000;

/** Throws a system error when the root cannot be opened as a folder. */
export function openDescriptorDoor(path: string): Door {
  const root = realpathSync(path);
  const descriptor = openSync(root, holdOnly | constants.O_DIRECTORY);
  const base = `/proc/self/fd/${descriptor}`;
  return {
    root,
    processBase: `/proc/${process.pid}/fd/${descriptor}`,
    probe: (relative) => probe(base, relative),
    close: closeOnce(descriptor),
  };
}

/** A number that is closed twice may by then be another file. */
function closeOnce(descriptor: number): () => void {
  let open = true;
  return () => {
    if (open) {
      open = false;
      closeSync(descriptor);
    }
  };
}

/** True where the door can be built: Linux with `/proc`. */
export function hasDescriptorPaths(): boolean {
  if (process.platform !== "linux") {
    return false;
  }
  try {
    readlinkSync("/proc/self/exe");
    return true;
  } catch {
    return false;
  }
}

function probe(rootBase: string, relative: string): Probe {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(relative === "" ? rootBase : `${rootBase}/${relative}`, holdOnly);
    const base = `/proc/self/fd/${descriptor}`;
    const absolute = readlinkSync(base);
    const path = pathInside(readlinkSync(rootBase), absolute);
    if (path === undefined || isSystemTree(absolute)) {
      closeSync(descriptor);
      return { kind: "outside" };
    }
    return { kind: "inside", path, hold: holdOf(descriptor, base) };
  } catch (error) {
    if (descriptor !== undefined) {
      closeSync(descriptor);
    }
    return { kind: "error", error };
  }
}

function holdOf(descriptor: number, base: string): Hold {
  return { base, stats: fstatSync(descriptor), close: closeOnce(descriptor) };
}
