/** Finds what a command may remove or overwrite. The mode `auto` asks about it, because undo has no copy. */
import { lstatSync, readdirSync } from "node:fs";
import { absolutely, mayExist } from "../shell/locate.ts";
import type { Words } from "../shell/programs/program.ts";
import { baseName, programOf } from "../shell/programs/table.ts";
import { lookThrough } from "../shell/starts.ts";
import type { ReplacedPath } from "../shell/touched-paths.ts";
import { writtenWords } from "../shell/written-words.ts";
import type { Workspace } from "../workspace/workspace.ts";

export interface ExaminedCalls {
  readonly calls: readonly Words[];
  /** The paths whose content the command may remove or replace. */
  readonly replaced: readonly ReplacedPath[];
  /** The folders in which the calls may run, relative to the workspace. */
  readonly folders: readonly string[];
}

/**
 * Returns a description of what a command may remove or overwrite: an existing file, files that a pattern or a variable names, or
 * files that no word names. Returns undefined if there is nothing.
 */
export function lossOf(
  workspace: Workspace,
  { calls, replaced, folders }: ExaminedCalls,
): string | undefined {
  const there = replaced.find((one) => holdsContent(workspace, one));
  if (there !== undefined) return `it changes ${JSON.stringify(there.path)}, which exists`;
  const holds = (word: string) =>
    word === fed || isComputed.test(word) || folders.some((folder) => mayHold(workspace, folder, word));
  for (const words of [...calls, ...fedCalls(calls)]) {
    const [name = "", ...args] = words;
    const lost = programOf(name).loses?.(args, holds);
    if (lost !== undefined) return `${baseName(name)} ${lost}`;
    if (writtenWords(words).some(({ word, keeps }) => keeps !== true && isComputed.test(word))) {
      return `it is unknown which files ${JSON.stringify(baseName(name))} changes`;
    }
  }
  return undefined;
}

/** Returns false for an absent path and for an empty folder. */
function mayHold(workspace: Workspace, folder: string, word: string): boolean {
  if (!mayExist(workspace, folder, word)) return false;
  try {
    return readdirSync(absolutely(workspace, folder, word)).length > 0;
  } catch {
    return true;
  }
}

/** Returns false for an absent path, and for a folder of which the command changes no files. */
function holdsContent(workspace: Workspace, { path, below }: ReplacedPath): boolean {
  if (!mayExist(workspace, ".", path)) return false;
  try {
    return below || lstatSync(absolutely(workspace, ".", path)).isDirectory() === false;
  } catch {
    return true;
  }
}

const isComputed = /[$`*?[{]/;

/** A word for the file names that a program such as `xargs` adds to a call. */
const fed = "{}";

/** Returns the calls to which a program adds words from its input, each with `fed` in place of these words. */
function fedCalls(calls: readonly Words[]): readonly Words[] {
  return calls
    .filter(([name = ""]) => programOf(name).feeds !== undefined)
    .flatMap((words) => lookThrough(words))
    .flatMap((one) => (one.kind === "call" ? [[...one.words, fed]] : []));
}
