/** Finds the home folders that the sandbox hides from commands. */
import { homedir, userInfo } from "node:os";
import { pathInside } from "@localharness/workspace/paths/door";
import { realAsFar } from "@localharness/workspace/paths/real-as-far";
import { isFolderAt } from "@localharness/workspace/paths/stats-at";

/** Folders that every program needs. No home folder that contains one of them, or is in one of them, is hidden. */
const needed = ["/usr", "/bin", "/sbin", "/lib", "/etc", "/boot", "/proc", "/sys", "/dev"];

/**
 * Returns the real paths of the home folders of the user, by the environment and by the system, which differ for example after
 * `sudo`. Leaves out those that are in the workspace or are the workspace. Empty outside of Linux, where the sandbox has no mounts.
 */
export function hiddenHomes(workspace: string, platform: NodeJS.Platform = process.platform): string[] {
  if (platform !== "linux") return [];
  const homes = new Set(
    [homedir(), homeOfSystem()].flatMap((home) => (home === "" ? [] : [realAsFar(home)])),
  );
  const hidden = [...homes].filter(
    (home) => isHidable(home) && isFolderAt(home) && pathInside(workspace, home) === undefined,
  );
  return hidden.filter((home) => !hidden.some((other) => other !== home && pathInside(other, home)));
}

function homeOfSystem(): string {
  try {
    return userInfo().homedir;
  } catch {
    // The user has no entry in the system's table.
    return "";
  }
}

function isHidable(home: string): boolean {
  return needed.every(
    (folder) => pathInside(home, folder) === undefined && pathInside(folder, home) === undefined,
  );
}
