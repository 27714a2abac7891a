/**
 * Installs the engine of the suite in `test/real-engine`: node-llama-cpp with the prebuilt llama.cpp for this system.
 * It is installed in `.engine`, a folder that git ignores, so that it is not a dependency of the project. Versions and
 * hashes come from the suite's lock file, no install script runs, and nothing is compiled.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { engineFolder, engineMark } from "../test/real-engine/load-engine.ts";
import { installAside } from "./install-aside.ts";

/** The part of an npm lock file that is used here. */
interface Lock {
  readonly packages: Record<string, LockEntry>;
}

interface LockEntry {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  optional?: boolean;
}

const source = join(import.meta.dirname, "..", "test", "real-engine", "install");

const name = "node-llama-cpp";

process.exitCode = await installEngine(`@node-llama-cpp/${process.platform}-${process.arch}`);

async function installEngine(prebuilt: string): Promise<number> {
  const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  const lock: Lock = JSON.parse(readFileSync(join(source, "package-lock.json"), "utf8"));
  const [root, engine, wanted] = ["", `node_modules/${name}`, `node_modules/${prebuilt}`].map(
    (path) => lock.packages[path],
  );
  if (root === undefined || engine === undefined || wanted === undefined) {
    console.error(`Expected a prebuilt engine for this system in the lock file; it has no ${prebuilt}.
On this system the suite runs on a llama-server: LLAMA_SERVER=PATH npm run real-servers`);
    return 1;
  }
  // The prebuilt engines are optional packages, together ten times as large. The one for this system becomes a required
  // package, so that npm checks its hash. The others are not installed.
  manifest.dependencies[prebuilt] = manifest.dependencies[name];
  root.dependencies = manifest.dependencies;
  delete wanted.optional;
  delete engine.optionalDependencies;
  const what = `${name} with ${prebuilt}`;
  return installAside(
    what,
    { folder: engineFolder, mark: engineMark },
    JSON.stringify(manifest),
    JSON.stringify(lock),
  );
}
