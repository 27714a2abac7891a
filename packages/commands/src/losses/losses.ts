/** Finds what a command may remove or overwrite. The mode `auto` asks about it unless a snapshot keeps it. */
import { lstatSync, readdirSync } from "node:fs";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { absolutely, mayExist } from "../shell/locate.ts";
import type { Lost, Words } from "../shell/programs/program.ts";
import { baseName, programOf } from "../shell/programs/table.ts";
import { lookThrough } from "../shell/starts.ts";
import type { ReplacedPath } from "../shell/touched-paths.ts";
import { writtenWords } from "../shell/written-words.ts";
import { isComputed, lostByComputed } from "./computed-programs.ts";
import { outputWords } from "./output-files.ts";
import { placesOfWords, withoutLinks } from "./places-of-words.ts";

export interface ExaminedCalls {
  readonly calls: readonly Words[];
  /** The paths whose content the command may remove or replace. */
  readonly replaced: readonly ReplacedPath[];
  /** The folders in which the calls may run, relative to the workspace. */
  readonly folders: readonly string[];
}

/** Something that a command may remove or overwrite. */
export interface Loss {
  /** A description: `it changes "src", which exists`. */
  readonly why: string;
  /** The places in the workspace of all that may be lost; undefined if they are unknown. */
  readonly places: readonly ReplacedPath[] | undefined;
  /** The call that may lose more than its words name, and where that is. */
  readonly unnamed?: { readonly call: Words; readonly where: Lost["where"] };
}

/**
 * Returns what a command may remove or overwrite: existing files, files that a pattern or a variable names, files that no word
 * names, or files of a program that is known only when the command runs.
 */
export function lossesOf(workspace: Workspace, examined: ExaminedCalls): readonly Loss[] {
  const { calls, replaced, folders } = examined;
  const there = replaced
    .filter((one) => holdsContent(workspace, one))
    .map((one) => ({ why: `it changes ${JSON.stringify(one.path)}, which exists`, places: [one] }));
  const holds = (word: string) =>
    word === fed || isComputed.test(word) || folders.some((folder) => mayHold(workspace, folder, word));
  const isThere = (word: string) => folders.some((folder) => mayExist(workspace, folder, word));
  const computed = lostByComputed(calls, isThere);
  return [
    ...there,
    ...[...calls, ...fedCalls(calls)].flatMap((words) => lossesOfCall(workspace, folders, words, holds)),
    ...(computed === undefined
      ? []
      : [{ why: computed.why, places: placesOfWords(workspace, folders, computed.words) }]),
  ];
}

function lossesOfCall(
  workspace: Workspace,
  folders: readonly string[],
  words: Words,
  holds: (word: string) => boolean,
): readonly Loss[] {
  const [name = "", ...args] = words;
  const lost = programOf(name).loses?.(args, holds);
  const outputs = outputWords(words).filter((word) => folders.some((at) => isFile(workspace, at, word)));
  const written = writtenWords(words).filter(({ word, keeps }) => keeps !== true && isComputed.test(word));
  const program = JSON.stringify(baseName(name));
  return [
    ...(lost === undefined ? [] : [lossOf(workspace, folders, words, lost)]),
    ...outputs.map((word) => ({
      why: `it changes ${JSON.stringify(word)}, which exists`,
      places: placesOfWords(workspace, folders, [word]),
    })),
    ...written.map(({ word }) => ({
      why: `it is unknown which files ${program} changes`,
      places: placesOfWords(workspace, folders, [word]),
    })),
  ];
}

function lossOf(workspace: Workspace, folders: readonly string[], call: Words, lost: Lost | string): Loss {
  const program = baseName(call[0] ?? "");
  if (typeof lost === "string") return { why: `${program} ${lost}`, places: undefined };
  const { where } = lost;
  const why = `${program} ${lost.why}`;
  const unnamed = { call, where };
  if (where.by !== "words") return { why, places: undefined, unnamed };
  return { why, places: withoutLinks(workspace, placesOfWords(workspace, folders, where.words)), unnamed };
}

function isFile(workspace: Workspace, folder: string, word: string): boolean {
  try {
    return lstatSync(absolutely(workspace, folder, word)).isDirectory() === false;
  } catch {
    return false;
  }
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

/** A word for the file names that a program such as `xargs` adds to a call. */
const fed = "{}";

/** Returns the calls to which a program adds words from its input, each with `fed` in place of these words. */
function fedCalls(calls: readonly Words[]): readonly Words[] {
  return calls
    .filter(([name = ""]) => programOf(name).feeds !== undefined)
    .flatMap((words) => lookThrough(words))
    .flatMap((one) => (one.kind === "call" ? [[...one.words, fed]] : []));
}
