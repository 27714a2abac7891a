/** Finds the folder of the running program, so that no call changes the code that judges it. */
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Returns the real path of the package of the program that node runs, whose start file is in `bin`; else of the folder with the
 * start file; undefined without one.
 */
export function programFolder(started = process.argv[1]): string | undefined {
  if (started === undefined) return undefined;
  try {
    const folder = dirname(realpathSync(started));
    const above = dirname(folder);
    return basename(folder) === "bin" && existsSync(join(above, "package.json")) ? above : folder;
  } catch {
    return undefined;
  }
}
