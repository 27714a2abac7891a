/** Checks whether this machine has a sandbox, without loading the runtime. */
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { SandboxMode, SandboxState } from "./sandbox.ts";
import { runsAsRoot } from "./system-walls.ts";

/** The programs that the sandbox needs, with their packages. For root it also needs `setpriv`, which removes the capabilities. */
const linuxPrograms: readonly (readonly [program: string, itsPackage: string])[] = [
  ["bwrap", "bubblewrap"],
  ["socat", "socat"],
];
const rootPrograms: typeof linuxPrograms = [...linuxPrograms, ["setpriv", "util-linux"]];

/** Returns the state for the mode. Starts no process and takes less than a millisecond. */
export function sandboxState(
  mode: SandboxMode,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
  isRoot: boolean = runsAsRoot(platform),
): SandboxState {
  if (mode === "off") return { kind: "off" };
  if (platform === "darwin") return { kind: "on", summary: "seatbelt" };
  if (platform !== "linux") {
    return { kind: "absent", problem: `there is no sandbox for ${platform} yet: use WSL, or --sandbox off` };
  }
  const needed = isRoot ? rootPrograms : linuxPrograms;
  const absent = needed.filter(([name]) => !isOnPath(name, environment["PATH"] ?? ""));
  const missing = absent.map(([name]) => name);
  if (missing.length > 0) {
    const packages = needed.map(([, name]) => name).join(" ");
    const problem = `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not installed (apt install ${packages}, dnf install ${packages})`;
    return { kind: "absent", problem };
  }
  const problem = namespaceProblem();
  return problem === undefined ? { kind: "on", summary: "bubblewrap" } : { kind: "absent", problem };
}

function isOnPath(name: string, path: string): boolean {
  return path.split(delimiter).some((folder) => isAbsolute(folder) && isExecutable(join(folder, name)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the problem if the kernel has no user namespaces; else undefined. If they are disabled in another way, this is
 * noticed only when a command runs.
 */
function namespaceProblem(): string | undefined {
  if (!existsSync("/proc/self/ns/user")) return "the kernel has no user namespaces";
  return undefined;
}
