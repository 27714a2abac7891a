/** Reads a `PATH`, and tells if a file is a program that starts. */
import { accessSync, closeSync, constants, openSync, readSync, statSync } from "node:fs";
import { delimiter, isAbsolute } from "node:path";

/** Returns only the absolute folders of a `PATH`, which do not depend on the working directory. */
export function stablePath(path: string): string {
  return path
    .split(delimiter)
    .filter((place) => isAbsolute(place))
    .join(delimiter);
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The maximum number of bytes of a script's first line that the system reads. */
const maxLineBytes = 255;

/** Returns the program that the script's first line names, also through `env`; undefined for a file without such a line. */
export function interpreterOf(path: string): string | undefined {
  const line = Buffer.alloc(maxLineBytes);
  const file = openSync(path, "r");
  try {
    const text = line.subarray(0, readSync(file, line)).toString("latin1");
    const [, first, second] = /^#![ \t]*(\S+)(?:[ \t]+(?:-S[ \t]*)?(\S+))?/.exec(text) ?? [];
    return first?.endsWith("/env") === true ? second : first;
  } finally {
    closeSync(file);
  }
}
