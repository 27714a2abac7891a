/** Finds files and folders that git runs or obeys because the configuration of a repository names them. */
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathInside } from "../paths/door.ts";
import { realAsFar } from "../paths/real-as-far.ts";
import { statsAt } from "../paths/stats-at.ts";
import { countsAlways, countsForChanges } from "./config-keys.ts";
import { bytesOf } from "./git-file.ts";
import { gitPlaceAt } from "./git-folder.ts";
import { type ConfigEntry, readEntries } from "./read-config.ts";

export interface LivePath {
  /** An absolute path, which may be absent. It includes everything below it. */
  readonly path: string;
  /** The key of the configuration that names it, in lower case. */
  readonly key: string;
}

const maxConfigBytes = 1_000_000;

/** The hooks that git looks for, if the folder of the repository itself is the folder of hooks. */
const hookNames =
  `applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit
  pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update reference-transaction
  push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman post-index-change`.split(
    /\s+/,
  );

/** Keys whose value is a file or folder, relative to the folder of the repository. */
const namesPath = /^(?:core\.(?:hookspath|attributesfile)|init\.templatedir)$/;
/** Keys whose value is a file of further settings, relative to the file that names it. */
const includes = /^(?:include\.path|includeif\..*\.path)$/s;

/**
 * Returns the live paths of the repository of `home` (a real path), without those outside of it, and none if there is no repository.
 * The person's own settings count too, if they name a path relative to the repository.
 */
export function livePaths(home: string): readonly LivePath[] {
  const folder = gitPlaceAt(home);
  if (folder === undefined) return [];
  const found = new Map<string, LivePath>();
  const seen = new Set<string>();
  const readFile = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const entry of entriesOf(file)) {
      for (const path of pathsOf(entry, home, file)) {
        for (const one of [path, realAsFar(path)]) {
          if (pathInside(home, one)) found.set(one, { path: one, key: entry.key });
        }
        if (includes.test(entry.key)) readFile(path);
      }
    }
  };
  for (const file of [join(folder.shared, "config"), join(folder.own, "config.worktree"), ...ofPerson()]) {
    readFile(file);
  }
  return [...found.values()];
}

/** Returns the live path that is or contains `absolute`, or is below it; undefined if there is none. */
export function livePathOf(absolute: string): LivePath | undefined {
  for (let at = dirname(absolute); ; at = dirname(at)) {
    if (statsAt(join(at, ".git")) !== undefined) {
      const found = livePaths(at).find(
        ({ path }) => pathInside(path, absolute) !== undefined || pathInside(absolute, path) !== undefined,
      );
      if (found !== undefined) return found;
    }
    if (at === dirname(at)) return undefined;
  }
}

function ofPerson(): readonly string[] {
  const settings = process.env["XDG_CONFIG_HOME"] ?? join(homedir(), ".config");
  return [join(homedir(), ".gitconfig"), join(settings, "git", "config")];
}

function pathsOf({ key, value }: ConfigEntry, home: string, file: string): readonly string[] {
  if (value === "") return [];
  if (includes.test(key)) return [resolve(dirname(file), atHome(value))];
  if (namesPath.test(key)) {
    const path = resolve(home, atHome(value));
    return path === home && key === "core.hookspath" ? hookNames.map((name) => join(home, name)) : [path];
  }
  const entry = { key, value };
  const isAlias = key.startsWith("alias.") && value.startsWith("!");
  if (!isAlias && !countsAlways(entry, home) && !countsForChanges(entry, home)) return [];
  return value
    .split(/[\s'"`=;|&()<>!]+/)
    .map((word) => resolve(home, atHome(word)))
    .filter((path) => statsAt(path)?.isDirectory() === false);
}

function atHome(path: string): string {
  return path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
}

/** Returns the entries of a file of settings, which may be a link; none if it cannot be read, which git refuses too. */
function entriesOf(file: string): readonly ConfigEntry[] {
  const bytes = bytesOf(file, maxConfigBytes);
  return (bytes && readEntries(bytes)) ?? [];
}
