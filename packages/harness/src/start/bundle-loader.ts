/**
 * Loads CommonJS files as `require` does, but with the compiled code that an earlier run has saved, and saves this code
 * for the next run.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { constants, Script } from "node:vm";
import { type KeptCode, keepCode, readCode, type Source } from "./kept-code.ts";

export interface BundleLoader {
  /** Returns what the file exports. The files that it requires by a path are loaded in the same way. */
  load(path: string): unknown;
  /**
   * Saves the compiled code for the next run. Only the first few runs after a change of a file save its code. Never
   * throws.
   */
  keep(): void;
}

/**
 * The minimum size in bytes of a file whose compiled code is saved. A smaller file compiles as fast as saved code is
 * read.
 */
const leastBytes = 16_384;
/**
 * The number of runs that save the code of a file. Several runs do so, because each may call other functions. Saving
 * takes about 10 ms.
 */
const maxTimesKept = 5;

interface Compiled {
  readonly source: Source;
  readonly script: Script;
  readonly kept: KeptCode | undefined;
}

/** Creates a loader. `main` is a file of the bundle. Without a `folder`, compiled code is neither read nor saved. */
export function createBundleLoader(main: string, folder: string | undefined): BundleLoader {
  const requireOutside = createRequire(main);
  const loaded = new Map<string, { exports: unknown }>();
  const compiled: Compiled[] = [];

  function load(path: string): unknown {
    const known = loaded.get(path);
    if (known !== undefined) return known.exports;
    const run = compile(path);
    const module = { exports: {} };
    loaded.set(path, module);
    const requireHere = (id: string) =>
      id.startsWith("./") ? load(join(dirname(path), id)) : requireOutside(id);
    try {
      run(module.exports, requireHere, module, path, dirname(path));
    } catch (error) {
      loaded.delete(path);
      throw error;
    }
    return module.exports;
  }

  function compile(path: string): (...args: readonly unknown[]) => void {
    const source = { name: basename(path), bytes: readFileSync(path) };
    const isKept = folder !== undefined && source.bytes.length >= leastBytes;
    const found = isKept ? readCode(folder, source, requireOutside) : undefined;
    const script = new Script(
      `(function (exports, require, module, __filename, __dirname) {${source.bytes}\n})`,
      {
        filename: path,
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
        ...(found === undefined ? {} : { cachedData: found.code }),
      },
    );
    const kept = script.cachedDataRejected === true ? undefined : found;
    if (isKept && (kept?.times ?? 0) < maxTimesKept) compiled.push({ source, script, kept });
    return script.runInThisContext();
  }

  function keep(): void {
    if (folder === undefined) return;
    for (const { source, script, kept } of compiled) {
      const now = script.createCachedData();
      // V8 discards the code of functions that were not called for a long time, so the larger of the two codes is
      // saved.
      const code = kept !== undefined && kept.code.length > now.length ? kept.code : now;
      keepCode(folder, source, { code, times: (kept?.times ?? 0) + 1 }, requireOutside);
    }
  }
  return { load, keep };
}
