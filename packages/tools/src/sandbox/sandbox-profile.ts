/** What a sandboxed command may read and write, as lists of paths. */
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { protectedName } from "../workspace/protected.ts";
import type { SandboxRules } from "./sandbox.ts";

export interface SandboxProfile {
  readonly unreadable: readonly string[];
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
}

/** Below the home folder: keys, tokens, and what programs keep for signing in. */
const secretsAtHome: readonly string[] = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker/config.json",
  ".config/gcloud",
  ".config/gh",
  ".config/hub",
  ".config/op",
  ".config/localharness",
  ".local/state/localharness",
  ".local/share/keyrings",
  ".netrc",
  ".git-credentials",
  ".npmrc",
  ".pypirc",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".password-store",
  ".mozilla",
  ".config/google-chrome",
  ".config/chromium",
  "Library/Keychains",
  "Library/Application Support/Google/Chrome",
  "Library/Application Support/Firefox",
];

/** Below the workspace, closed also where they are absent: a command must not plant orders for other programs. */
const closedNames: readonly string[] = [
  ".git/hooks",
  ".git/config",
  ".localharness",
  ".vscode",
  ".idea",
  ".mcp.json",
  ".npmrc",
  ".yarnrc.yml",
  ".pnpmfile.cjs",
  ".envrc",
  ".husky",
  ".claude",
  ".cursor",
  ".codex",
  ".gitmodules",
];

/** Closed as well where the workspace is somebody's home folder. */
const shellFiles: readonly string[] = [
  ".bashrc",
  ".bash_profile",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
];

export function sandboxProfile(rules: SandboxRules, stateFolders: readonly string[]): SandboxProfile {
  const home = homedir();
  const secrets = [...secretsAtHome.map((path) => join(home, path)), ...stateFolders, ...rules.unreadable];
  return {
    unreadable: existing(secrets).filter((path) => !isInside(rules.workspace, path)),
    writable: [rules.workspace, ...existing(rules.writable)],
    readOnly: closedPaths(rules.workspace).map((path) => join(rules.workspace, path)),
  };
}

/** Relative to the workspace: the names that are always closed, and every other protected one that is there. */
function closedPaths(workspace: string): readonly string[] {
  const there = readdirSync(workspace).filter((name) => name !== ".git" && protectedName(name) !== undefined);
  const atHome = workspace === homedir() ? shellFiles : [];
  // Without a repository its folder stays free, so that one can be made.
  const always = closedNames.filter(
    (path) => !path.startsWith(".git/") || existsSync(join(workspace, ".git")),
  );
  return [...new Set([...always, ...atHome, ...there])];
}

/** Those that are closed and not there: while a command runs an empty file stands in for each. */
export function standInNames(profile: SandboxProfile, workspace: string): readonly string[] {
  return profile.readOnly.filter((path) => !existsSync(path)).map((path) => relative(workspace, path));
}

/** A private folder for the temporary files of commands is made below this one. */
export function temporaryBase(): string {
  return realpathSync(tmpdir());
}

function existing(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.filter((path) => existsSync(path)).map((path) => realpathSync(path)))];
}

function isInside(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}
