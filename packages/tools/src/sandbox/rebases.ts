/**
 * Watches the folder in which git keeps a running rebase (`.git/rebase-merge`). Git runs the commands in it when somebody
 * continues the rebase, so a sandboxed command may begin a rebase but must not leave commands there.
 */
import { chmodSync, lstatSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../outcome.ts";
import { isFolderAt, statsAt } from "../workspace/stats-at.ts";

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
        if (basename(path) !== "rebase-merge") return false;
        const mark = markOf(path);
        return mark === undefined || begun.get(path) === mark;
      });
      return {
        has: (path) => watched.includes(path),
        done() {
          const errors = watched.flatMap((path) => {
            try {
              withAccess(dirname(path), () => settle(record, path));
              return [];
            } catch (error) {
              return [error];
            }
          });
          if (errors.length > 0) throw errors[0];
        },
      };
    },
  };
}

/** Renames a rebase that may run commands, or records it. */
function settle(record: string, path: string): void {
  const mark = markOf(path);
  if (mark !== undefined && !isHarmless(path)) moveAside(path);
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

const goesOn = /\brebase\b[^;&|\n]*\s--(?:abort|continue|skip|quit|edit-todo)\b/;

/**
 * Returns the reason to refuse a command that continues or ends a closed rebase; undefined for any other command. `closed`
 * has the paths that it cannot write. Git would do a part of the work, fail at the closed folder, and not finish the rebase.
 */
export function closedRebase(command: string, closed: readonly string[]): string | undefined {
  const path = closed.find((one) => basename(one) === "rebase-merge");
  if (path === undefined || !goesOn.test(command)) return undefined;
  return `Nothing ran: the rebase in ${path} was begun outside of the sandbox, which closes it, so git could do only a part of this. Ask the person to run the command themselves with ! before it.`;
}

/** Returns a text that identifies the folder now at the path, but no later folder there; undefined if the path is absent. */
function markOf(path: string): string | undefined {
  const stats = statsAt(path);
  return stats && `${stats.ino}:${stats.birthtimeMs}`;
}

/** The files of a rebase that name programs to run, or options for these programs. */
const naming = ["strategy", "strategy_opts", "gpg_sign_opt"];

/** Matches a line of a rebase with which git runs nothing: a comment, or a command on commits and labels. */
const harmlessLine =
  /^[ \t]*(?:#.*|(?:pick|reword|edit|squash|fixup|drop|label|reset|merge|update-ref|[presfdltmu])[ \t].*|(?:break|noop|b)[ \t]*)?\r?$/;

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
    const lines = stats.isFile() ? readFileSync(todo, "utf8").split("\n") : undefined;
    return lines?.every((line) => harmlessLine.test(line)) === true;
  } catch {
    return false;
  }
}

function moveAside(path: string): void {
  let number = 1;
  while (markOf(`${path}.moved-${number}`) !== undefined) number += 1;
  renameSync(path, `${path}.moved-${number}`);
}

/** Calls `work`. If the system denies access, calls it again after the owner of `folder` has got access to it. */
function withAccess(folder: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (errorCode(error) !== "EACCES") throw error;
    giveAccess(folder);
    work();
  }
}

/** Gives the owner all access to the folder, and to those above it that hinder this. Throws the system's error. */
function giveAccess(folder: string): void {
  const open = () => {
    const stats = lstatSync(folder);
    if (stats.isDirectory()) chmodSync(folder, stats.mode | 0o700);
  };
  try {
    open();
  } catch (error) {
    if (errorCode(error) !== "EACCES" || dirname(folder) === folder) throw error;
    giveAccess(dirname(folder));
    open();
  }
}
