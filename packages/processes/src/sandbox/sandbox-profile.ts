/** Computes the lists of paths that a sandboxed command may read and write. */
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { secretName } from "@localharness/workspace/paths/secret-name";
import { secretFiles, secretFolders, systemSecrets } from "@localharness/workspace/paths/secret-table";
import { isFolderAt } from "@localharness/workspace/paths/stats-at";
import type { ClosedByRules } from "./closed-by-rules.ts";
import { folderParts, isInside } from "./folder-parts.ts";
import { nothingShown, type ShownHome } from "./home/shown-places.ts";
import type { OuterRepository } from "./outer-repository.ts";
import type { SandboxRules } from "./sandbox.ts";

export interface SandboxProfile {
  /** The places of secrets, except those that contain the workspace, and the paths that rules hide. */
  readonly unreadable: readonly string[];
  /** The unreadable paths that belong to this program, that the settings name or that rules hide. */
  readonly own: readonly string[];
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  /** Paths of `readOnly` that git reads as files, even if they are absent. */
  readonly readFiles: readonly string[];
  /** What is readable below unreadable places. */
  readonly readable: readonly string[];
  /** The hidden home folders, and what commands see of them. */
  readonly home: HiddenHome;
  /** Folders in `readOnly` that are writable, except for the parts in their own list. Only on Linux. */
  readonly reopened: OuterRepository["reopened"];
}

export interface HiddenHome extends ShownHome {
  /** Real paths. */
  readonly homes: readonly string[];
}

/** Folders of the system with sockets and keys of the programs that run for the user. */
const runtimeFolders = ["/run/user"];

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

/** Returns the real paths of the places of secrets and of the system that commands never see, as far as they exist. */
export function hiddenPlaces(): readonly string[] {
  return existing([...secretPlaces(homedir()), ...runtimeFolders]);
}

/** Names relative to the workspace, in addition to those that are closed in every workspace. */
export interface ClosedInWorkspace {
  /** The closed names in subfolders. */
  readonly nested: readonly string[];
  /** The closed names in subfolders of added folders, by their roots, each relative to its root. */
  readonly inAdded?: ReadonlyMap<string, readonly string[]>;
  readonly byRules?: ClosedByRules;
  readonly home?: HiddenHome;
  /** The absolute paths of the closed names in other folders to which commands can write. */
  readonly inWritable?: readonly string[];
}

/**
 * Returns the profile, with absolute paths. Only `readOnly` may have paths that do not exist. A folder that the person added has the
 * same closed parts as the workspace.
 */
export function sandboxProfile(
  rules: SandboxRules,
  stateFolders: readonly string[],
  {
    nested,
    inAdded = new Map(),
    byRules = { unreadable: [], unwritable: [] },
    home: hiddenHome = { homes: [], ...nothingShown },
    inWritable = [],
  }: ClosedInWorkspace,
): SandboxProfile {
  const home = homedir();
  const folders = [{ root: rules.workspace, writable: true }, ...addedNow(rules)];
  const hidden = byRules.unreadable.map((path) => resolve(rules.workspace, path));
  const unwritable = byRules.unwritable.map((path) => resolve(rules.workspace, path));
  const parts = folders
    .filter(({ writable }) => writable)
    .map(({ root }, at) =>
      folderParts(root, {
        nested: at === 0 ? nested : (inAdded.get(root) ?? []),
        byRules: unwritable.filter((path) => isInside(path, root)),
      }),
    );
  const onlyRead = folders.filter(({ writable }) => !writable).map(({ root }) => root);
  const own = [...stateFolders, ...rules.unreadable, ...ownAtHome.map((path) => join(home, path))];
  const named = existing(rules.readable ?? []);
  const secrets = existing([...new Set([home, ...hiddenHome.homes])].flatMap(secretPlaces));
  const isAround = (path: string) => folders.some(({ root }) => isInside(root, path));
  return {
    own: [...existing([...own, ...runtimeFolders]), ...hidden],
    unreadable: [
      ...new Set([
        ...hiddenHome.homes,
        ...[...secrets, ...existing([...own, ...runtimeFolders])].filter((path) => !isAround(path)),
        ...hidden,
      ]),
    ],
    readable: [...hiddenHome.shown.map(({ path }) => path), ...named],
    home: hiddenHome,
    writable: [...parts.flatMap((part) => part.writable), ...existing(rules.writable)],
    readOnly: [...new Set([...parts.flatMap((part) => part.readOnly), ...onlyRead, ...inWritable])],
    reopened: parts.flatMap((part) => part.reopened),
    readFiles: parts.flatMap((part) => part.readFiles),
  };
}

/** Returns the added folders that are still there, and no link to another place has taken theirs. */
export function addedNow({ added = [] }: SandboxRules): NonNullable<SandboxRules["added"]> {
  return added.filter(({ root }) => existing([root])[0] === root && isFolderAt(root));
}

/** The prefix of the private folder for temporary files of commands, which is created in `temporaryBase`. */
export const temporaryPrefix = "localharness-sandbox-";

export function temporaryBase(): string {
  return realpathSync(tmpdir());
}

function existing(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.filter((path) => existsSync(path)).map((path) => realpathSync(path)))];
}
