/** Whether a sandbox can be had on this machine, found out without loading it. */
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { SandboxMode, SandboxState } from "./sandbox.ts";

const linuxPrograms = ["bwrap", "socat"];

/** What will be in force. Starts nothing, takes less than a millisecond. */
export function sandboxState(
  mode: SandboxMode,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): SandboxState {
  if (mode === "off") return { kind: "off" };
  if (platform === "darwin") return { kind: "on", summary: "seatbelt" };
  if (platform !== "linux") {
    return { kind: "absent", problem: `there is no sandbox for ${platform} yet: use WSL, or --sandbox off` };
  }
  const missing = linuxPrograms.filter((name) => !isOnPath(name, environment["PATH"] ?? ""));
  if (missing.length > 0) {
    const problem = `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not installed (apt install bubblewrap socat, dnf install bubblewrap socat)`;
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

/** Systems switch user namespaces off in several ways; what cannot be seen here shows at the first command. */
function namespaceProblem(): string | undefined {
  if (!existsSync("/proc/self/ns/user")) return "the kernel has no user namespaces";
  return undefined;
}
