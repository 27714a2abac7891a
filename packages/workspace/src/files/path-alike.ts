/** Finds the file that a path of the person means, if the path is written with other characters that look the same. */
import { readdirSync } from "node:fs";
import { join, parse } from "node:path";
import { lookKey } from "../paths/look-key.ts";
import { statsAt } from "../paths/stats-at.ts";

/**
 * Returns the absolute path with each absent name replaced by the only name in its folder that looks the same; undefined if none or
 * several do. Never use this for paths from the model, for which the workspace has `takeNames`.
 */
export function pathAlike(path: string): string | undefined {
  const { root } = parse(path);
  let at = root;
  for (const name of path.slice(root.length).split(/[\\/]/)) {
    const exact = join(at, name);
    const next = isThere(exact) ? exact : onlyAlike(at, name);
    if (next === undefined) return undefined;
    at = next;
  }
  return at;
}

function isThere(path: string): boolean {
  try {
    return statsAt(path) !== undefined;
  } catch {
    return false;
  }
}

function onlyAlike(folder: string, name: string): string | undefined {
  try {
    const key = lookKey(name);
    const alike = readdirSync(folder).filter((one) => lookKey(one) === key);
    return alike.length === 1 && alike[0] !== undefined ? join(folder, alike[0]) : undefined;
  } catch {
    return undefined;
  }
}
