/** The inside of the workspace's one door: how a checked path becomes a hold on the thing itself. */
import type { Stats } from "node:fs";

/** A hold on one file or folder. As long as it is open, `base` names that very thing, whatever is renamed meanwhile. */
export interface Hold {
  readonly base: string;
  readonly stats: Stats;
  close(): void;
}

export type Probe =
  /** `path` is physical and relative to the root, `""` for the root itself. */
  | { readonly kind: "inside"; readonly path: string; readonly hold: Hold }
  | { readonly kind: "outside" }
  | { readonly kind: "error"; readonly error: unknown };

export interface Door {
  /** Real path of the root. */
  readonly root: string;
  /** Follows links and says where they end. Never reads, never blocks, has no effect on what it finds. */
  probe(path: string): Probe;
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
