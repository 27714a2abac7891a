/** Makes git ignore the placeholders of the sandbox. */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathInside } from "@localharness/workspace/paths/door";
import { isHeldSocket } from "./held-sockets.ts";
import type { HostFiles } from "./host-files.ts";
import type { SandboxRules } from "./sandbox.ts";

/**
 * Writes a file of excludes so that git ignores the placeholders that it sees, and returns the setting that names it; no setting if
 * there are none. The setting replaces the person's `core.excludesFile`. The file begins with the content of
 * git's default excludes file.
 */
export function settingsOfGit(
  hostFiles: HostFiles,
  seenByGit: readonly string[],
): Readonly<Record<string, string>> {
  if (process.platform !== "linux" || seenByGit.length === 0) return {};
  const own = join(process.env["XDG_CONFIG_HOME"] ?? join(homedir(), ".config"), "git", "ignore");
  const before = existsSync(own) ? `${readFileSync(own, "utf8")}\n` : "";
  const text = `${before}${[...new Set(seenByGit)].map((name) => `/${name}\n`).join("")}`;
  return { "core.excludesFile": hostFiles.write("git-excludes", text) };
}

/**
 * Returns the path of a placeholder in the workspace or in an added folder, if git would list it among the files there; else
 * undefined.
 */
export function nameForGit({ workspace, added = [] }: SandboxRules, path: string): string | undefined {
  if (isHeldSocket(path) || path.includes("/.git/")) return undefined;
  const names = [workspace, ...added.map(({ root }) => root)].map((root) => pathInside(root, path));
  return names.find((name) => name !== undefined);
}
