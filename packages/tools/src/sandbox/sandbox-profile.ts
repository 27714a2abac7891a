/** Computes the lists of paths that a sandboxed command may read and write. */
import { existsSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { closedNames, runtimeNames } from "./closed-names.ts";
import type { SandboxRules } from "./sandbox.ts";

export interface SandboxProfile {
  readonly unreadable: readonly string[];
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
}

/** Paths in the home folder with keys, tokens and sign-in data of programs. */
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

/** Returns absolute paths. `nested` has the closed names in subfolders of the workspace, relative to it. */
export function sandboxProfile(
  rules: SandboxRules,
  stateFolders: readonly string[],
  nested: readonly string[],
): SandboxProfile {
  const home = homedir();
  const closed = new Set([
    ...closedNames(rules.workspace),
    ...runtimeNames(rules.workspace, process.cwd()),
    ...nested,
  ]);
  const secrets = [...secretsAtHome.map((path) => join(home, path)), ...stateFolders, ...rules.unreadable];
  return {
    unreadable: existing(secrets).filter((path) => !isInside(rules.workspace, path)),
    writable: [rules.workspace, ...existing(rules.writable)],
    readOnly: [...closed].map((path) => join(rules.workspace, path)),
  };
}

/** The prefix of the private folder for temporary files of commands, which is created in `temporaryBase`. */
export const temporaryPrefix = "localharness-sandbox-";

export function temporaryBase(): string {
  return realpathSync(tmpdir());
}

function existing(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.filter((path) => existsSync(path)).map((path) => realpathSync(path)))];
}

function isInside(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}
