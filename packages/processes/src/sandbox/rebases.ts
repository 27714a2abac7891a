/**
 * Watches the folders in which git keeps work that somebody will continue: a rebase (`.git/rebase-merge`), applied mails
 * (`rebase-apply`), several picked or reverted commits (`sequencer`). Git then runs the commands and obeys the options in them, so a
 * sandboxed command may begin such work but must not leave commands or dangerous options there.
 */

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { bytesOf } from "@localharness/workspace/git-files/git-file";
import { readEntries } from "@localharness/workspace/git-files/read-config";
import { isFolderAt, statsAt } from "@localharness/workspace/paths/stats-at";
import { wordsPattern } from "@localharness/workspace/patterns";
import { doAll, moveAside, withAccess } from "./move-aside.ts";

export interface Rebases {
  /**
   * Begins to watch for one command. `paths` are the closed paths of the sandbox. A rebase that no command began is not
   * watched: it is the person's, and stays closed.
   */
  watch(paths: readonly string[]): WatchedRebases;
}

export interface WatchedRebases {
  /** Returns true for a path that the command may write. */
  has(path: string): boolean;
  /**
   * Call it after the command. Renames a rebase that would run commands or cannot be read, so that git ignores it; records any
   * other. First opens a folder that the command has closed for its owner. Throws the system's first error at the end if a
   * rebase cannot be renamed.
   */
  done(): void;
}

/** Keeps a record of the rebases that commands began, for later sessions, in `stateFolder`, which commands cannot write. */
export function createRebases(stateFolder: string): Rebases {
  const record = join(stateFolder, "rebases.json");
  return {
    watch(paths) {
      const begun = readRecord(record);
      const watched = paths.filter((path) => {
        if (!isWorkFolder(path)) return false;
        const mark = markOf(path);
        return mark === undefined || begun.get(path) === mark;
      });
      return {
        has: (path) => watched.includes(path),
        done() {
          doAll(watched.map((path) => () => withAccess(dirname(path), () => settle(record, path))));
        },
      };
    },
  };
}

/** Renames a rebase that may run commands, or records it. */
function settle(record: string, path: string): void {
  const mark = markOf(path);
  if (mark !== undefined && harmless[basename(path)]?.(path) !== true) moveAside(path);
  else note(record, path, mark);
}

/** Returns the marks of the rebases by their paths. A record that cannot be read is empty, so that all rebases are closed. */
function readRecord(record: string): Map<string, string> {
  try {
    const read: unknown = JSON.parse(readFileSync(record, "utf8"));
    const entries = typeof read === "object" && read !== null ? Object.entries(read) : [];
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return new Map();
  }
}

/** Writes the mark of a rebase to the record; removes it if there is no rebase any more. */
function note(record: string, path: string, mark: string | undefined): void {
  const begun = readRecord(record);
  if (begun.get(path) === mark) return;
  if (mark === undefined) begun.delete(path);
  else begun.set(path, mark);
  try {
    const temporary = `${record}.${process.pid}.new`;
    writeFileSync(temporary, JSON.stringify(Object.fromEntries(begun)), { mode: 0o600 });
    renameSync(temporary, record);
  } catch {
    // Without the record the rebase is closed for later commands.
  }
}

/** Returns true if the path names a folder in which git keeps work that somebody will continue. */
export function isWorkFolder(path: string): boolean {
  return Object.hasOwn(harmless, basename(path));
}

/** Returns a text that identifies the folder now at the path, but no later folder there; undefined if the path is absent. */
function markOf(path: string): string | undefined {
  const stats = statsAt(path);
  return stats && `${stats.ino}:${stats.birthtimeMs}`;
}

/** The maximum size of a file of a rebase. A larger one is not read, and counts as dangerous. */
const maxBytes = 10_000_000;

/** The files of a rebase that name programs to run, or options for these programs. */
const naming = ["strategy", "strategy_opts", "gpg_sign_opt"];

/** Matches a line of a rebase with which git runs nothing: a comment, or a command on commits and labels. */
const harmlessLine = wordsPattern(
  String.raw`^[ \t]*(?:#.*|`,
  "pick reword edit squash fixup drop label reset merge update-ref [presfdltmu]",
  String.raw`[ \t].*|(?:break|noop|b)[ \t]*)?\r?$`,
);

/**
 * Returns true if git certainly runs no command or program when it continues the rebase. An unknown line counts as a command,
 * and so does a file that cannot be read.
 */
function isHarmless(path: string): boolean {
  const todo = join(path, "git-rebase-todo");
  try {
    if (!isFolderAt(path)) return false;
    if (naming.some((name) => statsAt(join(path, name)) !== undefined)) return false;
    const stats = statsAt(todo);
    if (stats === undefined) return true;
    const lines = stats.isFile() ? bytesOf(todo, maxBytes)?.toString("utf8").split("\n") : undefined;
    return lines?.every((line) => harmlessLine.test(line)) === true;
  } catch {
    return false;
  }
}

/** The options of picked commits with which git starts no other program than its usual ones. */
const harmlessOption = wordsPattern(
  String.raw`^options\.`,
  `no-commit edit allow-empty allow-empty-message drop-redundant-commits keep-redundant-commits
    signoff record-origin allow-ff mainline strategy-option allow-rerere-auto default-msg-cleanup`,
  "$",
);
const knownStrategy = /^(?:ort|recursive|resolve|octopus|ours|subtree)$/;

/** Returns true if the options of picked or reverted commits are certainly harmless. Git takes no commands from their list. */
function areHarmlessPicks(path: string): boolean {
  return isHarmlessFile(path, "opts", (bytes) =>
    readEntries(bytes)?.every(
      ({ key, value }) =>
        harmlessOption.test(key) || (key === "options.strategy" && knownStrategy.test(value)),
    ),
  );
}

const harmlessApplyOption =
  /^(?:-[pC]\d+|--whitespace=[a-z-]+|--ignore-(?:whitespace|space-change)|--(?:no-)?(?:exclude|include)=[^/]*|--reject)$/;

/** Returns true if the options with which git applies mails let it write in the repository's folder only. */
function areHarmlessMails(path: string): boolean {
  return isHarmlessFile(path, "apply-opt", (bytes) =>
    bytes
      .toString("utf8")
      .split(/[\s']+/)
      .filter((word) => word !== "")
      .every((word) => harmlessApplyOption.test(word)),
  );
}

/** Returns true if the file is absent, or is one that `isHarmless` accepts. */
function isHarmlessFile(
  folder: string,
  name: string,
  isHarmless: (bytes: Buffer) => boolean | undefined,
): boolean {
  const file = join(folder, name);
  try {
    if (!isFolderAt(folder)) return false;
    const stats = statsAt(file);
    const bytes = stats?.isFile() === true ? bytesOf(file, maxBytes) : undefined;
    return stats === undefined || (bytes !== undefined && isHarmless(bytes) === true);
  } catch {
    return false;
  }
}

/** By the name of the folder: returns true if continuing the work certainly runs and obeys nothing that a command has put there. */
const harmless: Readonly<Record<string, (path: string) => boolean>> = {
  "rebase-merge": isHarmless,
  "rebase-apply": areHarmlessMails,
  sequencer: areHarmlessPicks,
};
