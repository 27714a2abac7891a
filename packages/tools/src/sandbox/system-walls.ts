/**
 * Adds restrictions that the sandbox runtime lacks on Linux. The command gets separate shared memory, and cannot write to
 * hidden folders. If it runs as root, the kernel's settings become read-only for it, and it loses all capabilities.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { statsAt } from "../workspace/stats-at.ts";

/** The option of bubblewrap that mounts `/proc`. Mounts below it must follow it. */
const procMount = " --proc /proc ";

/**
 * Returns the runtime's command line with these restrictions, except the loss of capabilities; outside Linux `argv` itself.
 * The runtime has no setting for them, so they are added to its call of bubblewrap. Throws if that call has an unexpected
 * form. The folders in `hidden` become read-only: the runtime mounts an empty folder over each, and what a command writes
 * there would be lost without an error.
 */
export function withSystemClosed(
  argv: readonly string[],
  hidden: readonly string[] = [],
  platform: NodeJS.Platform = process.platform,
): readonly string[] {
  if (platform !== "linux") return argv;
  const call = argv.at(-1) ?? "";
  const parts = call.split(procMount);
  if (parts.length !== 2) {
    throw new Error("the call of bubblewrap has no single place for the mounts of /proc");
  }
  const readOnly = runsAsRoot() ? settingsOfKernel() : [];
  const mounted = hidden
    .flatMap((path) => [path, `'${path}'`])
    .filter((path) => call.includes(` --tmpfs ${path} `));
  const emptied = mounted.flatMap((path) => ["--remount-ro", path]);
  const walls = ["--unshare-ipc", ...emptied, ...readOnly.flatMap((path) => ["--ro-bind-try", path, path])];
  return [...argv.slice(0, -1), parts.join(`${procMount}${walls.join(" ")} `)];
}

/**
 * Returns the paths of the kernel's settings: `/sys`, and in `/proc` all folders and writable files that do not belong to one
 * process. The kernel lets root write there because of the user id, even without capabilities. Other users cannot write there.
 */
function settingsOfKernel(): readonly string[] {
  // The folders of processes are left out before any name is examined, because a process may end in between.
  const names = readdirSync("/proc").filter((name) => /^[a-z][\w-]*$/.test(name));
  return [...names.map((name) => join("/proc", name)).filter(mayHoldSettings), "/sys"];
}

function mayHoldSettings(path: string): boolean {
  const stats = statsAt(path);
  return stats?.isDirectory() === true || (stats?.isFile() === true && (stats.mode & 0o222) !== 0);
}

/**
 * Returns the words to put before the shell, so that it loses all capabilities; none if not root. Only root needs them: the
 * runtime gives root a user namespace with all capabilities, and gives other users none.
 */
export function withoutPrivileges(isRoot = runsAsRoot()): readonly string[] {
  return isRoot
    ? ["setpriv", "--no-new-privs", "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--"]
    : [];
}

/** Returns true if this process runs as root on Linux. Its sandbox then needs the program `setpriv`. */
export function runsAsRoot(platform: NodeJS.Platform = process.platform): boolean {
  return platform === "linux" && process.geteuid?.() === 0;
}
