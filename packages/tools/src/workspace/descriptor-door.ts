/**
 * The door on Linux: the kernel resolves the whole path in one open that only takes hold (`O_PATH`), then says where it
 * ended. Everything after goes through that descriptor, so that nothing can be exchanged between check and use.
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

/** Missing in `fs.constants`; the same number on every Linux that Node runs on. */
const holdOnly = 0o10000000;

/** For so long the root is taken to have kept its name, when nothing speaks against it. */
const rootNameMs = 2;

interface Root {
  readonly base: string;
  /** Where it is now; it may be renamed while it is open. `exact` asks the kernel whatever was known. */
  name(exact: boolean): string;
  /** The same with a slash at its end. */
  prefix(): string;
  readonly closed: ClosedFolders;
  /** Trees of the system lie below it. */
  readonly holdsSystem: boolean;
}

/** Throws a system error when the root cannot be opened as a folder. */
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

/** Where the kernel does not say the root's name, nothing can be told to lie out of what is closed. */
function closedWhenUnknown(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return true;
  }
}

function holdRoot(descriptor: number, closed: readonly string[]): Root {
  // With the number of the process, not "self": that is one link less to follow, and it serves children too.
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

/** The path from the root. One that ended where its text says met no link, and needs no fresh look at the root. */
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
