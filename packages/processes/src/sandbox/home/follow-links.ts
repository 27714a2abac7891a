/** Follows the links of a path in a home folder, one component at a time, so that each link can be made again in the sandbox. */
import { readlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathInside } from "@localharness/workspace/paths/door";
import { statsAt } from "@localharness/workspace/paths/stats-at";

export interface SymbolicLink {
  readonly path: string;
  readonly target: string;
}

export interface Followed {
  readonly links: readonly SymbolicLink[];
  /** The path without links; undefined if it is outside of the home folder. */
  readonly real: string | undefined;
}

/** The maximum number of links on the way to a path, as in the kernel. */
const maxLinks = 40;

/** Returns the links on the way to `path`, which is in `home` (a real path); undefined if nothing is there. */
export function followLinks(home: string, path: string, budget = maxLinks): Followed | undefined {
  const rest = pathInside(home, path);
  if (rest === undefined) return { links: [], real: undefined };
  let at = home;
  const parts = rest.split("/").filter((part) => part !== "");
  for (const [index, part] of parts.entries()) {
    at = join(at, part);
    const stats = statsAt(at);
    if (stats === undefined) return undefined;
    if (!stats.isSymbolicLink()) continue;
    if (budget === 0) return undefined;
    const target = readlinkSync(at);
    const next = join(resolve(dirname(at), target), ...parts.slice(index + 1));
    const followed = followLinks(home, next, budget - 1);
    return followed && { real: followed.real, links: [{ path: at, target }, ...followed.links] };
  }
  return { links: [], real: at };
}
