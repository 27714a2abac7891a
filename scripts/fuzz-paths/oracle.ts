/**
 * Finds where a path leads: it walks from name to name with lstat and readlink and expands links itself. It shares no
 * code and no system call with the path checks that it judges.
 */
import { lstatSync, readlinkSync } from "node:fs";

export type Truth =
  | { readonly kind: "inside"; readonly inode: string }
  | { readonly kind: "outside" }
  /** A missing file, a loop of links, a file in place of a folder, or a name that is too long. */
  | { readonly kind: "nothing" };

const maxLinks = 40;

/** Returns where a path leads. `path` is as the model wrote it: relative to `root`, or absolute. */
export function whereItLeads(root: string, path: string): Truth {
  let waiting = path.split("/");
  let at = path.startsWith("/") ? "" : root;
  let links = 0;
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (name === "" || name === ".") {
      if (!isFolder(at)) return { kind: "nothing" };
      continue;
    }
    if (!isFolder(at)) return { kind: "nothing" };
    if (name === "..") {
      at = at.slice(0, at.lastIndexOf("/"));
      continue;
    }
    const next = `${at}/${name}`;
    const stats = look(next);
    if (stats === undefined) return { kind: "nothing" };
    if (!stats.isSymbolicLink()) {
      at = next;
      continue;
    }
    links += 1;
    if (links > maxLinks) return { kind: "nothing" };
    const target = readlinkSync(next);
    at = target.startsWith("/") ? "" : at;
    waiting = [...target.split("/"), ...waiting];
  }
  const stats = look(at === "" ? "/" : at);
  if (stats === undefined) return { kind: "nothing" };
  return at === root || at.startsWith(`${root}/`)
    ? { kind: "inside", inode: `${stats.dev}:${stats.ino}` }
    : { kind: "outside" };
}

function isFolder(path: string): boolean {
  return look(path === "" ? "/" : path)?.isDirectory() === true;
}

function look(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
