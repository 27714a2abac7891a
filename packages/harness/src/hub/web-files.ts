/** Reads the files of the web app. An installed program has them beside the bundle; in a checkout Vite builds them. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { usageError } from "@localharness/engine";

export type WebFiles = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** Returns the files by their paths, such as `assets/index-4f2a.js`. Throws a `HarnessError` if there are none. */
export async function readWebFiles(folders: readonly string[] = webFolders()): Promise<WebFiles> {
  const folder = folders.find((one) => existsSync(join(one, "index.html")));
  if (folder === undefined) {
    throw usageError("the web app is not built: run npm run build:web in the checkout");
  }
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map(async (path) => {
      const name = relative(folder, path).replaceAll(sep, "/");
      return [name, new Uint8Array(await readFile(path))] as const;
    });
  return new Map(await Promise.all(files));
}

/** Returns the folders that may have the web app: first that of an installed program, then that of a checkout. */
function webFolders(): readonly string[] {
  return [join(import.meta.dirname, "..", "web"), join(import.meta.dirname, "..", "..", "..", "web", "dist")];
}
