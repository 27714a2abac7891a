/** Installs packages for tests in a folder of its own, which git ignores, so that they are no dependencies of the project. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Aside {
  readonly folder: string;
  /** A file of the folder that is written when the installation is complete. */
  readonly mark: string;
}

/**
 * Installs what the lock file names, with its versions and hashes. No install script runs. Does nothing if the same is installed.
 * Returns the exit code; `what` names the packages for the person.
 */
export function installAside(what: string, { folder, mark }: Aside, manifest: string, lock: string): number {
  if (existsSync(mark) && readFileSync(mark, "utf8") === lock) {
    console.log(`${what} is installed in ${folder}.`);
    return 0;
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), manifest);
  writeFileSync(join(folder, "package-lock.json"), lock);
  const { status, error } = spawnSync(
    "npm",
    ["ci", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"],
    { cwd: folder, stdio: "inherit", shell: process.platform === "win32" },
  );
  if (status !== 0) {
    console.error(`npm could not install ${what}${error === undefined ? "" : `: ${error.message}`}.`);
    return 1;
  }
  writeFileSync(mark, lock);
  return 0;
}
