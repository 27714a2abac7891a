/** Reads a path pattern as the person typed it in a shell. */
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, relative } from "node:path";

/**
 * Returns the pattern with the home folder in place of `~`, and with the links resolved in the folders before the first `*`,
 * because rules are matched with real paths. A pattern that is not absolute is returned as it is.
 */
export function placePattern(typed: string): string {
  const pattern = typed === "~" || typed.startsWith("~/") ? join(homedir(), typed.slice(1)) : typed;
  if (!isAbsolute(pattern)) return pattern;
  const names = pattern.split("/");
  const end = names.findIndex((name) => name.includes("*"));
  const fixed = (end === -1 ? names : names.slice(0, end)).join("/");
  const real = realBeginning(fixed);
  return end === -1 ? real : [real, ...names.slice(end)].join("/");
}

/** Resolves the links of the folders that exist. */
function realBeginning(path: string): string {
  for (
    let folder = path;
    folder !== "" && folder !== "/";
    folder = folder.slice(0, folder.lastIndexOf("/"))
  ) {
    try {
      return join(realpathSync(folder), relative(folder, path));
    } catch {
      // The folder does not exist, so the one above is tried.
    }
  }
  return path;
}
