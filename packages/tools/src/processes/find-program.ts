/** Finds a program the way the system does, but never in a folder that could be the model's own. */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { pathInside } from "../workspace/door.ts";

/** The places in a `PATH` that mean the same wherever a program runs: absolute ones. */
export function stablePath(path: string): string {
  return path
    .split(delimiter)
    .filter((place) => isAbsolute(place))
    .join(delimiter);
}

/**
 * The absolute path of `program`, or undefined. Places of `path` that lie in the folder `outside` (real path) are left
 * out: what a workspace brings along must not run in place of the system's own.
 */
export function findProgram(program: string, path: string, outside?: string): string | undefined {
  if (program.includes("/")) {
    return isProgram(program) ? program : undefined;
  }
  return stablePath(path)
    .split(delimiter)
    .map((place) => join(place, program))
    .find((candidate) => isProgram(candidate) && !liesIn(candidate, outside));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function liesIn(path: string, folder: string | undefined): boolean {
  return folder !== undefined && pathInside(folder, realpathSync(path)) !== undefined;
}
