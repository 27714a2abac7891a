/** Checks whether this machine has a sandbox, without loading the runtime. */
import { existsSync } from "node:fs";
import { outsidePrograms } from "../children/outside-programs.ts";
import type { SandboxMode, SandboxState } from "./sandbox.ts";
import { runsAsRoot } from "./system-walls.ts";

/** The programs that the sandbox needs, with their packages. For root it also needs `setpriv`, which removes the capabilities. */
const linuxPrograms: readonly (readonly [program: string, itsPackage: string])[] = [
  ["bwrap", "bubblewrap"],
  ["socat", "socat"],
];
const rootPrograms: typeof linuxPrograms = [...linuxPrograms, ["setpriv", "util-linux"]];

/** The names of all programs that the sandbox may need. */
export const sandboxPrograms: readonly string[] = rootPrograms.map(([name]) => name);

export interface StatusOptions {
  /** The folders to which commands may write. Programs in them do not count. */
  readonly folders?: readonly string[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
  readonly isRoot?: boolean;
}

/** Returns the state for the mode. Starts no process and takes less than a millisecond. */
export function sandboxState(mode: SandboxMode, options: StatusOptions = {}): SandboxState {
  const { folders = [], environment = process.env, platform = process.platform } = options;
  const isRoot = options.isRoot ?? runsAsRoot(platform);
  if (mode === "off") return { kind: "off" };
  if (platform === "darwin") return { kind: "on", summary: "seatbelt" };
  if (platform !== "linux") {
    return { kind: "absent", problem: `there is no sandbox for ${platform} yet: use WSL, or --sandbox off` };
  }
  const needed = isRoot ? rootPrograms : linuxPrograms;
  const programs = outsidePrograms(environment["PATH"] ?? "", folders);
  const absent = needed.filter(([name]) => programs.find(name) === undefined);
  const missing = absent.map(([name]) => name);
  if (missing.length > 0) {
    const packages = needed.map(([, name]) => name).join(" ");
    const problem = `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not installed (apt install ${packages}, dnf install ${packages})`;
    return { kind: "absent", problem };
  }
  const problem = namespaceProblem();
  return problem === undefined ? { kind: "on", summary: "bubblewrap" } : { kind: "absent", problem };
}

/**
 * Returns the problem if the kernel has no user namespaces; else undefined. If they are disabled in another way, this is
 * noticed only when a command runs.
 */
function namespaceProblem(): string | undefined {
  if (!existsSync("/proc/self/ns/user")) return "the kernel has no user namespaces";
  return undefined;
}
