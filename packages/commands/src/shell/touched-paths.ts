/** Finds the files and folders that a command names, and the reasons to ask about them. */
import type { Concern, TouchedPath } from "@localharness/engine";
import { addedMark, withoutRepeated, writingConcerns } from "@localharness/workspace/examine/examine-paths";
import { protectedConcern } from "@localharness/workspace/examine/protected-concern";
import { secretConcern } from "@localharness/workspace/examine/secret-concerns";
import { closedName } from "@localharness/workspace/paths/protected";
import { secretName } from "@localharness/workspace/paths/secret-name";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { createWordExpander } from "./expand-word.ts";
import { locateWord, mayExist, type WordPlace } from "./locate.ts";
import type { Words, WrittenWord } from "./programs/program.ts";
import { type ReadWord, readWords, wordsOfProgram } from "./read-words.ts";
import { otherwise } from "./spellings.ts";
import type { Redirections } from "./syntax-tree.ts";
import { writtenWords } from "./written-words.ts";

export interface NamedCalls extends Redirections {
  /** All calls, hidden calls included. */
  readonly calls: readonly Words[];
  /** The words to which an expansion with `$` may expand. */
  readonly values: readonly string[];
  /** The folders in which the command may run, relative to the workspace. The command starts in the first folder. */
  readonly folders: readonly string[];
}

/** A path whose content the command may remove or replace, with everything below it if `below` is true. */
export interface ReplacedPath {
  readonly path: string;
  readonly below: boolean;
}

export interface Touches {
  readonly paths: readonly TouchedPath[];
  readonly concerns: readonly Concern[];
  readonly replaced: readonly ReplacedPath[];
  /** True if a limit was reached, so that the command may name more files. */
  readonly incomplete: boolean;
}

const maxWords = 2_000;

/** Returns the touched paths and concerns about them. A word that names an existing file counts as read. */
export function touchedPaths(workspace: Workspace, named: NamedCalls): Touches {
  const paths = new Map<string, TouchedPath>();
  const concerns = new Map<string, Concern>();
  const replaced: ReplacedPath[] = [];
  const add = ({ kind, path }: WordPlace, access: "read" | "write", below: boolean) => {
    const mark = kind === "elsewhere" ? {} : addedMark(workspace, path);
    paths.set(`${access} ${below} ${path}`, { path, access, ...(below ? { below: true } : {}), ...mark });
  };
  const hold = (concern: Concern) => concerns.set(concern.id, concern);
  const addRead = (folder: string, { word, whole, contents, always }: ReadWord) => {
    if (always !== true && !mayExist(workspace, folder, word)) {
      const outside = folderOfPattern(workspace, folder, word);
      if (outside !== undefined) add({ kind: "elsewhere", path: outside }, "read", true);
      const name = contents && isComputed.test(word) ? secretName(word) : undefined;
      if (name !== undefined) hold(secretConcern(word, name));
      return;
    }
    const place = locateWord(workspace, folder, word);
    const there = place.kind === "file" || place.kind === "folder" || always === true;
    if (there || (place.kind === "elsewhere" && isPath(word))) {
      add(place, "read", whole && place.kind !== "file");
      const name =
        contents && place.kind !== "folder"
          ? (secretName(place.path, workspace.root) ?? secretName(word))
          : undefined;
      if (name !== undefined) hold(secretConcern(place.path, name));
    }
  };
  const writes = writtenIn(named);
  const reads = readsIn(named);
  const expander = createWordExpander(workspace);
  for (const folder of named.folders) {
    // What a command reads there without naming it is in a folder with its own trust.
    if (workspace.placeOf(folder).added !== undefined) add({ kind: "folder", path: folder }, "read", false);
    const expanded = writes
      .slice(0, maxWords)
      .flatMap(({ word, ...more }) =>
        [word, ...expander.expand(folder, word)].map((one) => ({ word: one, ...more })),
      );
    for (const { word, below, keeps, entered } of expanded) {
      const place = locateWord(workspace, folder, word);
      if (isSink(place.path)) continue;
      add(place, "write", below);
      if (keeps !== true) replaced.push({ path: place.path, below: below && entered !== true });
      for (const concern of writingConcerns(workspace, place.path, word)) hold(concern);
    }
    for (const read of reads.slice(0, maxWords)) {
      for (const word of [read.word, ...expander.expand(folder, read.word)]) {
        addRead(folder, { ...read, word });
        // Git names files of a commit relative to the top folder or to the current folder.
        if (read.always === true && folder !== ".") addRead(".", { ...read, word });
      }
    }
  }
  // The files that program text writes are unknown, so each protected name in it is treated as written.
  for (const word of named.calls.flatMap(wordsOfProgram)) {
    const name = closedName(word);
    if (name !== undefined) hold(protectedConcern(word, name));
  }
  const incomplete = writes.length > maxWords || reads.length > maxWords || expander.incomplete();
  return { paths: [...paths.values()], concerns: withoutRepeated(concerns), replaced, incomplete };
}

/** Matches a path that is known only when the shell or the process runs. */
const isComputed = /[$`~]|^\/+proc\//;

function writtenIn({ calls, writesTo, truncates, values }: NamedCalls): readonly WrittenWord[] {
  const files = writesTo.flatMap((file) => {
    const keeps = !truncates.includes(file);
    return [file, ...otherwise(file)].map((word) => ({ word, below: false, keeps }));
  });
  const written = [...files, ...calls.flatMap(writtenWords)];
  const computed = written.some(({ word }) => /[$`]/.test(word));
  return computed ? [...written, ...values.map((word) => ({ word, below: false }))] : written;
}

function readsIn({ calls, readsFrom, values }: NamedCalls): readonly ReadWord[] {
  const reads = readWords(calls, readsFrom);
  const computed = reads.some(({ word, contents }) => contents && /[$`]/.test(word));
  return computed ? readWords(calls, [...readsFrom, ...values]) : reads;
}

/** Returns the folder outside of the workspace in which the shell looks for the names of a pattern; undefined if there is none. */
function folderOfPattern(workspace: Workspace, folder: string, word: string): string | undefined {
  const fixed = /^[^*?[{]*\/(?=[^/]*[*?[{])/.exec(word)?.[0];
  if (fixed === undefined || !isPath(fixed) || !mayExist(workspace, folder, fixed)) return undefined;
  const place = locateWord(workspace, folder, fixed);
  return place.kind === "elsewhere" ? place.path : undefined;
}

/** Returns true if the word is written as a path. Outside the workspace only such words are read as paths. */
function isPath(word: string): boolean {
  return /^(?:\.\.?(?:\/|$)|~|\/|[^:]*\/)/.test(word);
}

function isSink(path: string): boolean {
  return /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(path);
}
