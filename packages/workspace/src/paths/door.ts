/** Declares the workspace's only access to the disk ("door"), which turns a checked path into an open file or folder. */
import { realpathSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";

/** An open file or folder. While it is open, `base` is a path to it; if `certain` is true, even after a rename. */
export interface Hold {
  readonly base: string;
  readonly stats: Stats;
  /** True if `base` can never mean another file. If false, compare the opened file with `stats`. */
  readonly certain: boolean;
  close(): void;
}

export type Probe =
  /** `path` is physical (without links) and relative to the root; `""` is the root itself. */
  | { readonly kind: "inside"; readonly path: string; readonly hold: Hold }
  | { readonly kind: "outside" }
  /** Inside the workspace, but in a folder that no tool may access. */
  | { readonly kind: "closed" }
  | { readonly kind: "error"; readonly error: unknown };

export interface Door {
  /** Real path of the root. */
  readonly root: string;
  /** Resolves the links of a path and opens the file or folder at its end. Does not read, block or change anything. */
  probe(path: string): Probe;
  /** Returns true if a physical path, relative to the root, is a folder that no tool may access, or is in one. */
  isClosed(path: string): boolean;
  /** Returns true if a folder that no tool may access is at or below the path. */
  holdsClosed(path: string): boolean;
  /** The path of the root, for use as the working directory of child processes. */
  readonly processBase: string;
  close(): void;
}

/**
 * Returns the path relative to `root`, empty for `root` itself; undefined if it is not inside. Compares whole components.
 */
export function pathInside(root: string, absolute: string): string | undefined {
  if (absolute === root) return "";
  const prefix =
    root.endsWith("/") || root.endsWith("\\") ? root : `${root}${root.includes("\\") ? "\\" : "/"}`;
  return absolute.startsWith(prefix) ? absolute.slice(prefix.length) : undefined;
}

/** Returns true for paths in `/proc`, `/sys` and `/dev`, which are never part of a workspace, even if the root is `/`. */
export function isSystemTree(absolute: string): boolean {
  return /^\/(?:proc|sys|dev)(?:\/|$)/.test(absolute);
}

/** Folders that no tool may access; they need not exist yet. Paths are absolute and physical. */
export interface ClosedFolders {
  /** Returns true for one of these folders, and for a path in one. */
  hold(absolute: string): boolean;
  /** Returns true if one of these folders is at or below the path. */
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

/** Resolves the links of the existing part of a path. */
function realAsFarAsThere(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    const above = dirname(absolute);
    return above === absolute ? absolute : join(realAsFarAsThere(above), basename(absolute));
  }
}
