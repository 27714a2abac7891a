/**
 * Adds to the sandbox of Linux what its runtime leaves open to root: the kernel's settings become read-only, the memory
 * that processes share is separate, and the command has no capabilities.
 */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The option of bubblewrap that mounts `/proc`. Mounts below it must follow it. */
const procMount = " --proc /proc ";

/**
 * Returns the command line of the runtime with these walls. The runtime has no setting for them, so they are added to its
 * call of bubblewrap. Throws if that call has another form than expected, because then the walls would be absent.
 */
export function withSystemClosed(
  argv: readonly string[],
  platform: NodeJS.Platform = process.platform,
): readonly string[] {
  if (platform !== "linux") return argv;
  const parts = (argv.at(-1) ?? "").split(procMount);
  if (parts.length !== 2) {
    throw new Error("the call of bubblewrap has no single place for the mounts of /proc");
  }
  const readOnly = runsAsRoot() ? settingsOfKernel() : [];
  const walls = ["--unshare-ipc", ...readOnly.flatMap((path) => ["--ro-bind-try", path, path])];
  return [...argv.slice(0, -1), parts.join(`${procMount}${walls.join(" ")} `)];
}

/**
 * Returns the folders and writable files of `/proc` that do not belong to one process, and `/sys`. The kernel lets root
 * write its settings there because of its user id, even without capabilities. Other users cannot.
 */
function settingsOfKernel(): readonly string[] {
  // Names of processes are left out before anything is looked up, because a process may end meanwhile.
  const names = readdirSync("/proc").filter((name) => /^[a-z][\w-]*$/.test(name));
  return [...names.map((name) => join("/proc", name)).filter(mayHoldSettings), "/sys"];
}

function mayHoldSettings(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isDirectory() === true || (stats?.isFile() === true && (stats.mode & 0o222) !== 0);
}

/**
 * Returns the words before the shell that take all capabilities from it. The runtime gives root a user namespace with all
 * of them. Other users have none there.
 */
export function withoutPrivileges(isRoot = runsAsRoot()): readonly string[] {
  return isRoot
    ? ["setpriv", "--no-new-privs", "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--"]
    : [];
}

/** Returns true if this process is root's on Linux. Its sandbox needs the program `setpriv`. */
export function runsAsRoot(platform: NodeJS.Platform = process.platform): boolean {
  return platform === "linux" && process.geteuid?.() === 0;
}
