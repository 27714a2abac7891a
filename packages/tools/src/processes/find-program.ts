/** Finds a program in PATH like the system, but never in a relative folder or in the workspace. */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { pathInside } from "../workspace/door.ts";

/** Returns only the absolute folders of a `PATH`, which do not depend on the working directory. */
export function stablePath(path: string): string {
  return path
    .split(delimiter)
    .filter((place) => isAbsolute(place))
    .join(delimiter);
}

/**
 * Returns the absolute path of `program`; undefined if it is not found. Skips programs inside the folder `outside` (real path),
 * because a program of the workspace must not replace a program of the system. Returns a name with a slash unchanged if it is a
 * program.
 */
export function findProgram(program: string, path: string, outside?: string): string | undefined {
  if (program.includes("/")) return isProgram(program) ? program : undefined;
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
