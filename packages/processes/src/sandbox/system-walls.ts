/**
 * Adds restrictions that the sandbox runtime lacks on Linux. The command gets separate shared memory, cannot send to sockets outside or use keys of the
 * login session, and cannot write to
 * hidden folders. If it runs as root, the kernel's settings become read-only for it, and it loses all capabilities.
 */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { statsAt } from "@localharness/workspace/paths/stats-at";
import { shellQuoted } from "../children/shell-program.ts";
import { located } from "./runtime-programs.ts";
import type { SandboxProfile } from "./sandbox-profile.ts";

/** The option of bubblewrap that mounts `/proc`. Mounts below it must follow it. */
const procMount = " --proc /proc ";

export interface Walls extends Pick<SandboxProfile, "own" | "reopened"> {
  /** Further options of bubblewrap, quoted for a shell. */
  readonly mounts?: readonly string[];
}

/**
 * Returns the runtime's command line with these restrictions, except the loss of capabilities; outside Linux `argv` itself.
 * The runtime has no setting for them, so they are added to its call of bubblewrap. Throws if that call has an unexpected
 * form. The folders in `own` become read-only: the runtime mounts an empty folder over each, and what a command writes
 * there would be lost without an error. Folders in `reopened` become writable again: for the runtime a folder in a closed one stays
 * closed.
 */
export function withSystemClosed(
  argv: readonly string[],
  { own: hidden, reopened, mounts = [] }: Walls = { own: [], reopened: [] },
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
  const again = reopened.flatMap((one) => [
    ...bound("--bind", one.path),
    ...one.readOnly.flatMap((path) => bound("--ro-bind-try", path)),
  ]);
  const closed = readOnly.flatMap((path) => ["--ro-bind-try", path, path]);
  const walls = ["--unshare-ipc", ...mounts, ...emptied, ...again, ...closed];
  return [...argv.slice(0, -1), parts.join(`${procMount}${walls.join(" ")} `)];
}

function bound(option: string, path: string): readonly string[] {
  return [option, shellQuoted(path), shellQuoted(path)];
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
 * runtime gives root a user namespace with all capabilities, and gives other users none. Throws if `setpriv` is not found outside
 * of the folders.
 */
export function withoutPrivileges(folders: readonly string[], isRoot = runsAsRoot()): readonly string[] {
  return isRoot
    ? [
        located("setpriv", process.env["PATH"] ?? "", folders),
        "--no-new-privs",
        "--inh-caps=-all",
        "--ambient-caps=-all",
        "--bounding-set=-all",
        "--",
      ]
    : [];
}

/** Returns true if this process runs as root on Linux. Its sandbox then needs the program `setpriv`. */
export function runsAsRoot(platform: NodeJS.Platform = process.platform): boolean {
  return platform === "linux" && process.geteuid?.() === 0;
}

/** The words of the runtime's call after which its own shell text comes. */
const shellCall = " -- /bin/bash -c ";

/**
 * Returns the command line so that `script` runs in the sandbox before the runtime's own shell text, outside of the filter that closes
 * sockets, and `folder` is readable at `place`. What the script leaves running ends with the command. Throws if the call of
 * bubblewrap has an unexpected form. Only on Linux.
 */
export function withScriptBefore(
  argv: readonly string[],
  { script, folder, place }: { readonly script: string; readonly folder: string; readonly place: string },
): readonly string[] {
  const [beforeMounts, mounted, ...otherMounts] = (argv.at(-1) ?? "").split(procMount);
  const [options, text, ...others] = (mounted ?? "").split(shellCall);
  if (options === undefined || text === undefined || otherMounts.length + others.length > 0) {
    throw new Error("the call of bubblewrap has no single place for a script");
  }
  const bind = `--ro-bind ${shellQuoted(folder)} ${place} `;
  const whole = `trap 'kill $(jobs -p) 2>/dev/null' EXIT\n${script}\n"$@"`;
  const call = `${beforeMounts}${procMount}${bind}${options}${shellCall}${shellQuoted(whole)} before /bin/bash -c ${text}`;
  return [...argv.slice(0, -1), call];
}
