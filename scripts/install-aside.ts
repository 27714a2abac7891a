/** Installs packages for tests in a separate folder, which git ignores, so that the project does not depend on them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Aside {
  readonly folder: string;
  /** The path of a file in the folder that gets the text of the lock file when the installation is complete. */
  readonly mark: string;
}

/**
 * Empties the folder and installs the packages of the lock file in it, except optional ones; no install script runs. Does
 * nothing if this lock file is installed already. `manifest` and `lock` are the texts of package.json and package-lock.json;
 * `what` names the packages for the person. Resolves to 0, or to 1 after it has printed that npm failed.
 */
export async function installAside(
  what: string,
  { folder, mark }: Aside,
  manifest: string,
  lock: string,
): Promise<number> {
  if (existsSync(mark) && readFileSync(mark, "utf8") === lock) {
    console.log(`${what} is installed in ${folder}.`);
    return 0;
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), manifest);
  writeFileSync(join(folder, "package-lock.json"), lock);
  const args = ["ci", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"];
  const npm = spawn("npm", args, { cwd: folder, stdio: "inherit", shell: process.platform === "win32" });
  const failure = await once(npm, "close").then(
    ([code]) => (code === 0 ? undefined : ""),
    (error: Error) => `: ${error.message}`,
  );
  if (failure !== undefined) {
    console.error(`npm could not install ${what}${failure}.`);
    return 1;
  }
  writeFileSync(mark, lock);
  return 0;
}
