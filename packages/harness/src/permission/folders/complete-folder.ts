/** Completes the path of a folder while the person types it. */
import { readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/**
 * Returns the folders whose paths begin with the typed text, spelled as it is, with a slash at their ends. `from` is the folder from
 * which a relative path leads. Never throws.
 */
export function completeFolder(typed: string, limit: number, from: string): readonly string[] {
  const end = typed.lastIndexOf("/") + 1;
  const [above, begun] = [typed.slice(0, end), typed.slice(end)];
  const place = above.startsWith("~/") ? join(homedir(), above.slice(1)) : resolve(from, above);
  try {
    return readdirSync(place, { withFileTypes: true })
      .filter(({ name }) => name.startsWith(begun) && (begun !== "" || !name.startsWith(".")))
      .filter((entry) => entry.isDirectory() || (entry.isSymbolicLink() && isFolder(join(place, entry.name))))
      .map(({ name }) => `${above}${name}/`)
      .toSorted()
      .slice(0, limit);
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
