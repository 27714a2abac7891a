/** Finds the existing file that a path from the model means, if the path has other characters that look the same. */

import { readdirSync } from "node:fs";
import { isAbsolute, sep } from "node:path";
import { countText } from "@localharness/protocol";
import { errorCode, found, type Outcome, refused } from "../outcome.ts";
import type { Door } from "./door.ts";
import { lookKey, visibleName } from "./look-key.ts";
import { statsAt } from "./stats-at.ts";

/**
 * Returns the segments with each absent name replaced by the only name in its folder that looks the same. Existing names stay, and
 * so does everything from the first absent name on that no name looks like. Fails if several do.
 */
export function takeNames(
  door: Door,
  segments: readonly string[],
  shown: string,
): Outcome<readonly string[]> {
  if (mayBeThere([door.root, ...segments].join(sep)) || !isAbsent(door, segments)) return found(segments);
  const taken: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const rest = [...taken, ...segments.slice(index)];
    if (segment === ".." || !isAbsent(door, [...taken, segment])) {
      taken.push(segment);
      continue;
    }
    const names = namesIn(door, taken);
    // A link that leads nowhere has the name, and is absent all the same.
    if (names.includes(segment)) return found(rest);
    const key = lookKey(segment);
    const alike = names.filter((name) => lookKey(name) === key);
    if (alike.length > 1) return severalAlike(shown, segment, alike);
    if (alike[0] === undefined) return found(rest);
    taken.push(alike[0]);
  }
  return found(taken);
}

/**
 * Returns the path with the root of the workspace as it is written, if the path begins with an absent folder that looks like it;
 * else the path.
 */
export function withRoot(path: string, root: string): string {
  if (!isAbsolute(path) || sep === "\\") return path;
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  const above = root.split("/").filter((segment) => segment !== "");
  const start = segments.slice(0, above.length);
  if (
    start.length < above.length ||
    start.some((name, index) => lookKey(name) !== lookKey(above[index] ?? ""))
  ) {
    return path;
  }
  const written = `/${start.join("/")}`;
  return written === root || statsAt(written) !== undefined
    ? path
    : [root, ...segments.slice(above.length)].join("/");
}

/** Returns false if nothing has the path. The look opens nothing: a path that links lead out of the root is refused when it is opened. */
function mayBeThere(path: string): boolean {
  try {
    return statsAt(path) !== undefined;
  } catch {
    return true;
  }
}

function isAbsent(door: Door, segments: readonly string[]): boolean {
  const probe = door.probe(segments.join("/"));
  if (probe.kind === "inside") probe.hold.close();
  return probe.kind === "error" && errorCode(probe.error) === "ENOENT";
}

/** Returns the names in a folder; none if it cannot be read, or is outside of the workspace. */
function namesIn(door: Door, segments: readonly string[]): readonly string[] {
  const probe = door.probe(segments.join("/"));
  if (probe.kind !== "inside") return [];
  try {
    return readdirSync(probe.hold.base);
  } catch {
    return [];
  } finally {
    probe.hold.close();
  }
}

const maxNamed = 10;

function severalAlike(shown: string, segment: string, alike: readonly string[]) {
  const names = alike.slice(0, maxNamed).map((name) => `"${visibleName(name)}"`);
  const list = [...names, ...(alike.length > maxNamed ? ["..."] : [])].join(", ");
  const part = segment === shown ? "" : ` (in "${visibleName(shown)}")`;
  return refused(
    "validation_failed",
    `"${visibleName(segment)}"${part} does not exist, and ${countText(alike.length, "name")} look like it: ${list}. Here \\u and four digits stand for one character: write the name that is meant with that character.`,
  );
}
