/** Reads a folder for comparison: the content of each file by path, with its mode when it is not the usual one. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

export function treeOf(root: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const walk = (folder: string, shown: string): void => {
    for (const name of readdirSync(folder).toSorted()) {
      const [path, below] = [join(folder, name), `${shown}${name}`];
      const stats = lstatSync(path);
      const mode = stats.mode & 0o777;
      if (stats.isSymbolicLink()) found[below] = `-> ${readlinkSync(path)}`;
      else if (stats.isDirectory()) {
        found[`${below}/`] = mode === 0o755 ? "" : mode.toString(8);
        walk(path, `${below}/`);
      } else found[below] = `${readFileSync(path, "utf8")}${mode === 0o644 ? "" : `(${mode.toString(8)})`}`;
    }
  };
  walk(root, "");
  return found;
}
