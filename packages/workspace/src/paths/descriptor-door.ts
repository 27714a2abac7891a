/**
 * Opens paths on Linux without races: the kernel resolves the whole path in one `O_PATH` open and then reports where it ended.
 * All later access uses that descriptor, so that no other file can take its place between check and use.
 */
import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import {
  type ClosedFolders,
  closedFolders,
  type Door,
  isSystemTree,
  type Probe,
  pathInside,
} from "./door.ts";

/** The flag `O_PATH`, which `fs.constants` lacks. It has the same value on every Linux that Node supports. */
const holdOnly = 0o10000000;

/** The milliseconds for which the name of the root is cached. */
const rootNameMs = 2;

interface Root {
  readonly base: string;
  /**
   * Returns the current path of the root, which may be renamed while open. With `exact` it asks the kernel even if the
   * name is cached.
   */
  name(exact: boolean): string;
  /** Returns the cached name with a slash at its end. */
  prefix(): string;
  readonly closed: ClosedFolders;
  /** True if system trees such as `/proc` are below the root, or if the root is in a system tree. */
  readonly holdsSystem: boolean;
}

/** Opens the root. Throws a system error if it cannot be opened as a folder. */
export function openDescriptorDoor(path: string, closed: readonly string[] = []): Door {
  const real = realpathSync(path);
  const descriptor = openSync(real, holdOnly | constants.O_DIRECTORY);
  const root = holdRoot(descriptor, closed);
  return {
    root: real,
    processBase: root.base,
    probe: (relative) => probe(root, relative),
    isClosed: (relative) => closedWhenUnknown(() => root.closed.hold(`${root.name(true)}/${relative}`)),
    holdsClosed: (relative) =>
      closedWhenUnknown(() => root.closed.lieBelow(`${root.name(true)}/${relative}`)),
    close: closeOnce(descriptor),
  };
}

/** Returns the result of `look`; true if the root's name cannot be read, because the path may then be in a closed folder. */
function closedWhenUnknown(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return true;
  }
}

function holdRoot(descriptor: number, closed: readonly string[]): Root {
  // The path has the process id instead of "self", so that there is one link less to follow and the path is valid in child
  // processes.
  const base = pathOf(descriptor);
  let name = readlinkSync(base);
  let prefix = withSlash(name);
  let asked = 0;
  return {
    base,
    name: (exact) => {
      const now = performance.now();
      if (exact || now - asked > rootNameMs) {
        const found = readlinkSync(base);
        prefix = found === name ? prefix : withSlash(found);
        name = found;
        asked = now;
      }
      return name;
    },
    prefix: () => prefix,
    holdsSystem: name === "/" || isSystemTree(name),
    closed: closedFolders(closed),
  };
}

function pathOf(descriptor: number): string {
  return `/proc/${process.pid}/fd/${descriptor}`;
}

/** Returns a function that closes the descriptor only once, because its number may belong to another file later. */
function closeOnce(descriptor: number): () => void {
  let open = true;
  return () => {
    if (open) {
      open = false;
      closeSync(descriptor);
    }
  };
}

/** Returns true on Linux with a `/proc` in which this process has its own id. This module works only there. */
export function hasDescriptorPaths(): boolean {
  if (process.platform !== "linux") return false;
  try {
    return readlinkSync("/proc/self") === String(process.pid);
  } catch {
    return false;
  }
}

function probe(root: Root, relative: string): Probe {
  let close: (() => void) | undefined;
  try {
    const descriptor = openSync(relative === "" ? root.base : `${root.base}/${relative}`, holdOnly);
    close = closeOnce(descriptor);
    const base = pathOf(descriptor);
    const absolute = readlinkSync(base);
    const path = pathFrom(root, absolute, relative);
    if (path === undefined || (root.holdsSystem && isSystemTree(absolute))) {
      close();
      return { kind: "outside" };
    }
    if (root.closed.hold(absolute)) {
      close();
      return { kind: "closed" };
    }
    const stats = fstatSync(descriptor);
    if (stats.nlink === 0 && path !== "") {
      close();
      return { kind: "error", error: { code: "ENOENT" } };
    }
    return { kind: "inside", path, hold: { base, stats, certain: true, close } };
  } catch (error) {
    close?.();
    return { kind: "error", error };
  }
}

/**
 * Returns the path relative to the root; undefined if it is outside. If the kernel's path equals the requested path, no link
 * was followed and the cached name of the root is enough.
 */
function pathFrom(root: Root, absolute: string, relative: string): string | undefined {
  root.name(false);
  const end = root.prefix().length;
  if (
    absolute.length === end + relative.length &&
    absolute.endsWith(relative) &&
    absolute.startsWith(root.prefix())
  ) {
    return relative;
  }
  return pathInside(root.name(true), absolute);
}

function withSlash(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}
