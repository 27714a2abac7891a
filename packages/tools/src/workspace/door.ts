/** The inside of the workspace's one door: how a checked path becomes a hold on the thing itself. */
import { realpathSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";

/** A hold on one file or folder. As long as it is open, `base` names that very thing, whatever is renamed meanwhile. */
export interface Hold {
  readonly base: string;
  readonly stats: Stats;
  /** True when `base` cannot come to name another thing; else what is opened by it must be compared with `stats`. */
  readonly certain: boolean;
  close(): void;
}

export type Probe =
  /** `path` is physical and relative to the root, `""` for the root itself. */
  | { readonly kind: "inside"; readonly path: string; readonly hold: Hold }
  | { readonly kind: "outside" }
  /** Inside, but in a folder that no tool may touch. */
  | { readonly kind: "closed" }
  | { readonly kind: "error"; readonly error: unknown };

export interface Door {
  /** Real path of the root. */
  readonly root: string;
  /** Follows links and says where they end. Never reads, never blocks, has no effect on what it finds. */
  probe(path: string): Probe;
  /** True for a physical path, relative to the root, in a folder that no tool may touch. */
  isClosed(path: string): boolean;
  /** True when such a folder lies below. */
  holdsClosed(path: string): boolean;
  /** The base for a child process's working directory. */
  readonly processBase: string;
  close(): void;
}

/** Physical path inside `root`, or undefined. Compared by whole components. */
export function pathInside(root: string, absolute: string): string | undefined {
  if (absolute === root) {
    return "";
  }
  const prefix =
    root.endsWith("/") || root.endsWith("\\") ? root : `${root}${root.includes("\\") ? "\\" : "/"}`;
  return absolute.startsWith(prefix) ? absolute.slice(prefix.length) : undefined;
}

/** Trees that are windows into the running system: never part of a workspace, also when the root is `/`. */
export function isSystemTree(absolute: string): boolean {
  return /^\/(?:proc|sys|dev)(?:\/|$)/.test(absolute);
}

/** Folders that no tool may touch; they need not exist yet. Paths are absolute and physical. */
export interface ClosedFolders {
  hold(absolute: string): boolean;
  lieBelow(absolute: string): boolean;
}

export function closedFolders(folders: readonly string[]): ClosedFolders {
  const real = folders.map(realAsFarAsThere);
  const prefixes = real.map((folder) => folder + sep);
  return {
    hold: (absolute) =>
      prefixes.some((prefix) => absolute.startsWith(prefix)) || real.some((folder) => folder === absolute),
    lieBelow: (absolute) => real.some((folder) => pathInside(absolute, folder) !== undefined),
  };
}

function realAsFarAsThere(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    const above = dirname(absolute);
    return above === absolute ? absolute : join(realAsFarAsThere(above), basename(absolute));
  }
}
