/**
 * Loads the bundle with code that V8 compiled in earlier runs. Node's compile cache has only a tenth of all functions:
 * those that are compiled when a file is loaded. The saved code also has the functions that a run has called.
 */
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { cacheFolder } from "../config/location.ts";
import { createBundleLoader } from "./bundle-loader.ts";

/** Loads the file at `path` together with the files that it requires, and returns what the file exports. */
export function loadBundle(path: string): unknown {
  const cache = cacheFolder();
  const folder = cache === undefined ? undefined : join(cache, "code");
  // Node's compile cache is for the packages that are not in the bundle.
  if (folder !== undefined) enableCompileCache(folder);
  const { load, keep } = createBundleLoader(path, folder);
  process.once("exit", keep);
  return load(path);
}
