/** Creates a folder and its missing parents one by one. Each folder is created inside its open parent. */
import { mkdirSync } from "node:fs";
import { errorCode, found, type Outcome, refused, systemFailure } from "../outcome.ts";
import type { Door } from "./door.ts";
import type { Directory } from "./handles.ts";
import { openDirectory } from "./open-place.ts";
import { exchangedFailure } from "./permits.ts";
import { closedFailure } from "./probe-failure.ts";
import type { Permits } from "./workspace.ts";

/** Creates the folder. Returns its physical path and the number of folders that were missing. */
export function makeDirectory(
  door: Door,
  segments: readonly string[],
  shown: string,
  permits: Permits,
): Outcome<{ readonly path: string; readonly created: number }> {
  let depth = segments.length;
  let directory = openDirectory(door, segments, shown);
  while (!directory.ok && directory.errorType === "not_found" && depth > 0) {
    depth -= 1;
    directory = openDirectory(door, segments.slice(0, depth), shown);
  }
  const missing = segments.length - depth;
  for (const [index, name] of segments.slice(depth).entries()) {
    if (!directory.ok) return directory;
    const end = depth + index + 1;
    const path = physicalPath(directory.value, name);
    const problem = mayMake(door, path, shown, permits, end < segments.length);
    if (problem !== undefined) {
      directory.value[Symbol.dispose]();
      return problem;
    }
    directory = makeOne(door, directory.value, name, segments.slice(0, end), shown);
  }
  if (!directory.ok) return directory;
  directory.value[Symbol.dispose]();
  const { path } = directory.value;
  return permits(path, true) ? found({ path, created: missing }) : exchangedFailure(shown, path);
}

function physicalPath(parent: Directory, name: string): string {
  return parent.path === "." ? name : `${parent.path}/${name}`;
}

function mayMake(door: Door, path: string, shown: string, permits: Permits, onTheWay: boolean) {
  if (door.isClosed(path)) return closedFailure(shown);
  return permits(path, onTheWay) ? undefined : exchangedFailure(shown, path);
}

/** Creates a folder, unless it exists by now, and opens it. Closes the parent, also on failure. */
function makeOne(
  door: Door,
  parent: Directory,
  name: string,
  segments: readonly string[],
  shown: string,
): Outcome<Directory> {
  try {
    if (name === "..") return refused("not_found", `"${shown}" goes up from a folder that does not exist.`);
    mkdirSync(parent.at(name));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") return systemFailure(error, shown);
  } finally {
    parent[Symbol.dispose]();
  }
  const made = openDirectory(door, segments, shown);
  if (!made.ok && made.errorType === "not_found") {
    return refused(
      "validation_failed",
      `"${name}" in "${shown}" is a link that leads nowhere. Remove it first.`,
    );
  }
  return made;
}
