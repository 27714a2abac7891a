/**
 * Loads CommonJS files as `require` does, but with the compiled code that an earlier run has saved, and saves this code
 * for the next run.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { constants, Script } from "node:vm";
import { type BundleFile, keepCode, readCode, sourceOf } from "./kept-code.ts";

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
 * The maximum number of runs that save the code of a file. One run is not enough, because a later run may call functions
 * that are not in the saved code. Saving takes about 10 ms.
 */
const maxTimesKept = 5;

interface Compiled {
  readonly source: BundleFile;
  readonly script: Script;
  /** The size of the saved code in bytes; 0 without it. */
  readonly keptBytes: number;
  /** The number of runs that have saved it. */
  readonly times: number;
}

/** The text before and after a CommonJS file that makes it a function. */
const wrapper = ["(function (exports, require, module, __filename, __dirname) {", "\n})"] as const;

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
    const bytes = readWrapped(path);
    const isKept = folder !== undefined && bytes.length >= leastBytes;
    const source = isKept ? sourceOf(folder, basename(path), bytes, requireOutside) : undefined;
    const found = source === undefined ? undefined : readCode(source, requireOutside);
    const script = new Script(bytes.toString(), {
      filename: path,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(found === undefined ? {} : { cachedData: found.code }),
    });
    const kept = script.cachedDataRejected === true ? undefined : found;
    const times = kept?.times ?? 0;
    if (source !== undefined && times < maxTimesKept) {
      compiled.push({ source, script, keptBytes: kept?.code.length ?? 0, times });
    }
    for (const read of [bytes, found?.code]) free(read);
    return script.runInThisContext();
  }

  function keep(): void {
    for (const { source, script, keptBytes, times } of compiled) {
      const now = script.createCachedData();
      // V8 discards the code of functions that were not called for a long time, so the larger of the two codes is
      // saved.
      const kept = keptBytes > now.length ? readCode(source, requireOutside) : undefined;
      keepCode(source, { code: kept?.code ?? now, times: times + 1 }, requireOutside);
      for (const code of [now, kept?.code]) free(code);
    }
  }
  return { load, keep };
}

/** Returns the file as the source of a function, in one piece, because V8 would keep the pieces in memory too. */
function readWrapped(path: string): Buffer<ArrayBuffer> {
  const bytes = readFileSync(path);
  const [open, close] = wrapper;
  const wrapped = Buffer.concat([Buffer.from(open), bytes, Buffer.from(close)]);
  free(bytes);
  return wrapped;
}

/**
 * Frees the memory of a buffer at once, because a short run ends before V8 collects it. Leaves small buffers alone, because
 * they share one piece of memory.
 */
function free(bytes: Buffer<ArrayBuffer> | undefined): void {
  if (bytes !== undefined && bytes.buffer.byteLength > Buffer.poolSize) bytes.buffer.transfer(0);
}
