/** Finds the file of a program, and decides if it is reliable: a file that the model cannot change or replace. */
import { realpathSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { pathInside } from "@localharness/workspace/paths/door";
import { exactProgram } from "./programs/table.ts";

export type ProgramPlace =
  | { readonly kind: "builtin" }
  /** A reliable file. `path` is the path at which it was found, `real` the path after links. */
  | { readonly kind: "stable"; readonly path: string; readonly real: string }
  /** A version manager chooses the program, by files in the folder in which the command runs. */
  | { readonly kind: "chosen"; readonly path: string; readonly real: string }
  /** A file in the workspace, by a relative `PATH`, or in a folder open to all. `shadows`: a later folder of `PATH` has one too. */
  | { readonly kind: "unstable"; readonly path: string; readonly reason: string; readonly shadows: boolean }
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "missing" };

export type LocateProgram = (name: string) => ProgramPlace;

/**
 * Returns a function that locates programs and remembers each place, for one command only. `root` is the workspace, and `added` has
 * the folders that the person added to it.
 */
export function programLocator(
  searchPath: string,
  root: string,
  added: readonly { readonly root: string }[] = [],
): LocateProgram {
  const roots = [root, ...added.map((one) => one.root)];
  const known = new Map<string, ProgramPlace>();
  return (name) => {
    const place = known.get(name) ?? locateProgram(name, searchPath, roots);
    known.set(name, place);
    return place;
  };
}

function locateProgram(name: string, searchPath: string, roots: readonly string[]): ProgramPlace {
  if (exactProgram(name)?.builtin !== undefined) return { kind: "builtin" };
  if (name.includes("/")) return { kind: "path", path: name };
  if (name === "" || name.includes("\0") || name.length > 255) return { kind: "missing" };
  const folders = searchPath.split(":");
  for (const [index, folder] of folders.entries()) {
    const place = placeIn(folder, name, roots);
    if (place?.kind === "unstable") {
      const others = folders.slice(index + 1).filter((other) => other !== folder);
      return { ...place, shadows: others.some((other) => placeIn(other, name, roots) !== undefined) };
    }
    if (place !== undefined) return place;
  }
  return { kind: "missing" };
}

function placeIn(folder: string, name: string, roots: readonly string[]): ProgramPlace | undefined {
  const path = join(isAbsolute(folder) ? folder : join(roots[0] ?? "", folder), name);
  const executable = 0o111;
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() !== true || (stats.mode & executable) === 0) return undefined;
    const real = realpathSync(path);
    const reason = instability(folder, real, roots);
    if (reason !== undefined) return { kind: "unstable", path, reason, shadows: false };
    return { kind: isShim(path) || isShim(real) ? "chosen" : "stable", path, real };
  } catch {
    return undefined;
  }
}

function isShim(path: string): boolean {
  return /\/(?:shims|\.volta|\.rbenv|\.pyenv|\.asdf|mise)\//.test(path);
}

function instability(folder: string, real: string, roots: readonly string[]): string | undefined {
  if (!isAbsolute(folder)) return "PATH names a folder relative to the one in which the command runs";
  const isInside = (path: string) => roots.some((root) => pathInside(root, path) !== undefined);
  if (isInside(realpathSync(folder)) || isInside(real)) return "PATH names a folder of the workspace";
  const everybody = 0o002;
  return (statSync(folder).mode & everybody) === 0
    ? undefined
    : "PATH names a folder that anybody may write to";
}
