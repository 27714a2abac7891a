/** Computes the lists of paths that a sandboxed command may read and write. */
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { secretName } from "../workspace/secret-name.ts";
import { secretFiles, secretFolders, systemSecrets } from "../workspace/secret-table.ts";
import type { ClosedByRules } from "./closed-by-rules.ts";
import { closedNames, runtimeNames } from "./closed-names.ts";
import type { SandboxRules } from "./sandbox.ts";

export interface SandboxProfile {
  /** The places of secrets, except those that contain the workspace, and the paths that rules hide. */
  readonly unreadable: readonly string[];
  /** The unreadable paths that belong to this program, that the settings name or that rules hide. */
  readonly own: readonly string[];
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
}

/** The program's own folders in the home folder, which also have keys. */
const ownAtHome: readonly string[] = [".config/localharness", ".local/state/localharness"];

/**
 * Returns the places of secrets on this machine: the places in the table of secrets, the program's own folders, and files in
 * the home folder and in `/etc/ssh` that have the name of a secret.
 */
function secretPlaces(home: string): readonly string[] {
  const named = [...secretFiles, ...secretFolders, ...ownAtHome].map((path) => join(home, path));
  const settings = process.env["XDG_CONFIG_HOME"];
  const moved =
    settings === undefined
      ? []
      : [...secretFiles, ...secretFolders].flatMap((path) => atSettings(path, settings));
  return [...named, ...moved, ...systemSecrets, ...secretsIn(home), ...secretsIn("/etc/ssh")];
}

function atSettings(path: string, settings: string): readonly string[] {
  return path.startsWith(".config/") ? [join(settings, path.slice(".config/".length))] : [];
}

/** Returns the files directly in the folder that have the name of a secret, such as `.env` or `*.pem`. */
function secretsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => secretName(name) !== undefined)
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Names relative to the workspace, in addition to those that are closed in every workspace. */
export interface ClosedInWorkspace {
  /** The closed names in subfolders. */
  readonly nested: readonly string[];
  readonly byRules?: ClosedByRules;
}

/** Returns the profile, with absolute paths. Only `readOnly` may have paths that do not exist. */
export function sandboxProfile(
  rules: SandboxRules,
  stateFolders: readonly string[],
  { nested, byRules = { unreadable: [], unwritable: [] } }: ClosedInWorkspace,
): SandboxProfile {
  const home = homedir();
  const hidden = byRules.unreadable.map((path) => join(rules.workspace, path));
  const closed = new Set([
    ...closedNames(rules.workspace),
    ...runtimeNames(rules.workspace, process.cwd()),
    ...nested,
    ...byRules.unwritable,
  ]);
  const secrets = [...secretPlaces(home), ...stateFolders, ...rules.unreadable];
  return {
    own: [
      ...existing([...stateFolders, ...rules.unreadable, ...ownAtHome.map((path) => join(home, path))]),
      ...hidden,
    ],
    unreadable: [...existing(secrets).filter((path) => !isInside(rules.workspace, path)), ...hidden],
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
