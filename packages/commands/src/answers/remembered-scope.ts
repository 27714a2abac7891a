/**
 * Computes the scope of an answer to a command: its exact text, the folder in which it runs, the files of its programs, and the
 * contents of the files that it executes. If any of these changes, the answer no longer holds.
 */

import { isAbsolute, relative } from "node:path";
import { notAFile } from "@localharness/workspace/files/not-a-file";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { executedFiles, isKnown, runsAnything, runsInput } from "../shell/executed-files.ts";
import { createWordExpander } from "../shell/expand-word.ts";
import { locateWord } from "../shell/locate.ts";
import { looksOnly } from "../shell/looks-only.ts";
import type { ExecutedFile, Words } from "../shell/programs/program.ts";
import { programOf } from "../shell/programs/table.ts";
import { wordsOfProgram } from "../shell/read-words.ts";
import { otherwise, spellings } from "../shell/spellings.ts";
import type { LocateProgram, ProgramPlace } from "../shell/stable-program.ts";
import { writtenWords } from "../shell/written-words.ts";
import { addMark, addProgramTexts, type ReadCalls, scriptsRunBy, type Writer } from "./add-mark.ts";
import { contentOf, digest, generated, type Marks, markOf, mayMarkMore, pathIn } from "./file-marks.ts";
import { sayScope } from "./say-scope.ts";
import { addTree } from "./tree-mark.ts";

export interface RememberedScope {
  readonly scope: string;
  /** The scope in words for the person. */
  readonly covers: string;
  /** False if the command executes files that cannot be compared, or more files than the limit. */
  readonly complete: boolean;
}

export interface ScopeSubject {
  readonly text: string;
  readonly calls: readonly Words[];
  /** The number of calls, counted from the first, whose words contain no expansion of the shell. */
  readonly literal: number;
  /** The files from which the command gets its input. */
  readonly readsFrom: readonly string[];
  /** The folders in which the command may run, relative to the workspace. The command starts in the first. */
  readonly folders: readonly string[];
  readonly locateProgram: LocateProgram;
  /** The configuration of the repositories in which git would run. */
  readonly gitConfiguration?: string;
  /** The values of variables, and the words of loops. */
  readonly values: readonly string[];
  /** The files to which redirections write. */
  readonly writesTo: readonly string[];
  readonly callsIn: ReadCalls;
  /** Returns a text that changes when a tool writes a file of the workspace, other than the files in `except`; absent without notes. */
  readonly toolWrites?: ((except: readonly string[]) => string) | undefined;
}

export async function rememberedScope(workspace: Workspace, subject: ScopeSubject): Promise<RememberedScope> {
  const marks: Marks = { workspace, files: {}, computed: false };
  const { files } = marks;
  const expander = createWordExpander(workspace);
  const writer: Writer = { marks, callsIn: subject.callsIn };
  let complete = true;
  for (const folder of subject.folders) {
    for (const file of filesOf(workspace, subject)) {
      const more = file.kind === "script" ? expander.expand(folder, file.name) : [];
      for (const one of [file, ...more.map((name) => ({ kind: "script", name }) as const)])
        complete = (await addMark(writer, folder, one)) && complete;
    }
    for (const words of subject.calls) {
      await scriptsRunBy(writer, folder, words);
      await addProgramTexts(writer, folder, words);
    }
    for (const word of namedBy(subject))
      for (const name of [word, ...expander.expand(folder, word)])
        complete = (await addMark(writer, folder, { kind: "named", name })) && complete;
  }
  complete = (await addTree(marks)) && complete;
  const programs: Record<string, string> = {};
  for (const name of [...new Set(subject.calls.map((words) => words[0] ?? ""))].sort()) {
    const mark = await programMark(workspace, subject.locateProgram(name));
    programs[name] = mark ?? "unknown";
    complete &&= mark !== undefined;
  }
  const git = subject.gitConfiguration === undefined ? {} : { git: digest(subject.gitConfiguration) };
  const { toolWrites } = subject;
  const watched = toolWrites !== undefined && (await loadsAnything(workspace, subject));
  const written = watched ? toolWrites(writesOf(workspace, subject)) : "";
  const scope = {
    command: subject.text,
    folder: subject.folders[0] ?? ".",
    programs,
    files: sorted(files),
    ...git,
    ...(written === "" ? {} : { written }),
  };
  complete &&= mayMarkMore(marks) && !expander.incomplete();
  return {
    scope: JSON.stringify(scope),
    covers: inWords(workspace, subject, files, watched),
    complete,
  };
}

/**
 * Resolves to true if the command calls a program that may load any file. A program that is not in the table of programs may do
 * so, unless it is a script for an interpreter in the table.
 */
async function loadsAnything(workspace: Workspace, { calls, folders }: ScopeSubject): Promise<boolean> {
  // If a call names its program by a path, `calls` also contains this call with only the program's name.
  const paths = calls.map(([program = ""]) => program).filter((program) => program.includes("/"));
  for (const [program = ""] of calls) {
    if (isKnown(program)) continue;
    if (paths.some((path) => path.endsWith(`/${program}`))) continue;
    if (!program.includes("/")) return true;
    const content = await contentOf(workspace, pathIn(folders[0] ?? ".", program));
    const [, interpreter = ""] = /^#! *(?:\S*\/env +(?:-S +)?)?(\S+)/.exec(content?.toString() ?? "") ?? [];
    if (programOf(interpreter).interprets === undefined) return true;
  }
  return false;
}

/** Returns the files that the command executes. If a program may run any file, adds every file that a word names. */
function filesOf(
  workspace: Workspace,
  { calls, literal, readsFrom, folders }: ScopeSubject,
): readonly ExecutedFile[] {
  // A program of the workspace is compared even if the command calls it by its absolute path.
  const inside = calls
    .filter(([program = ""]) => program.startsWith("/"))
    .flatMap(([program = "", ...args]) => {
      const { path } = locateWord(workspace, ".", program);
      return isAbsolute(path) ? [] : [[`./${path}`, ...args]];
    });
  const all = [...calls, ...inside];
  const executed = all.flatMap((words, index) => executedFiles(words, index < literal));
  const obeying = calls.filter(runsInput);
  const open =
    obeying.length > 0 &&
    calls.some((words) => !obeying.includes(words) && mayPrintMore(workspace, folders, words));
  const unseen = open ? [{ kind: "elsewhere" } as const] : [];
  const read = readsFrom.map((name) => ({ kind: "script", name }) as const);
  const isWord = (word: string) => word !== "" && !word.startsWith("-");
  // A program that runs its input runs the files that the other calls print.
  const printing = obeying.length === 0 ? [] : calls.filter((words) => !obeying.includes(words));
  const printed = printing
    .flatMap(([, ...args]) => args.filter(isWord))
    .map((name) => ({ kind: "script", name }) as const);
  const input = obeying.length === 0 ? [] : [...printed, ...read];
  if (!all.some(runsAnything)) return [...executed, ...unseen, ...input];
  const words = calls.flatMap(([, ...args]) => args.filter(isWord));
  const given = words.map((name) => ({ kind: "file", name }) as const);
  const fed = calls.some(([name = ""]) => programOf(name).feeds !== undefined)
    ? [{ kind: "elsewhere" } as const]
    : [];
  return [...executed, ...unseen, ...printed, ...given, ...read, ...fed];
}

/** Returns the words that may name files, except files that a call only writes; an empty list if the command only reads. */
function namedBy({ calls, readsFrom, values }: ScopeSubject): readonly string[] {
  if (calls.every(isHarmless)) return [];
  const named = calls.flatMap((words) => {
    // A program that runs its input may run the old content of a file before it writes the file.
    const written = new Set(runsInput(words) ? [] : writtenWords(words).map(({ word }) => word));
    const spelled = words.slice(1).filter((word) => !written.has(word));
    return [...spelled.flatMap(spellings), ...wordsOfProgram(words).filter((word) => !written.has(word))];
  });
  const all = [
    ...named,
    ...[...readsFrom, ...values].flatMap((word) => [...spellings(word), ...otherwise(word)]),
  ];
  return [...new Set(all)].filter(
    (word) => word !== "" && word.length < maxWordLength && !word.includes("\0"),
  );
}

const maxWordLength = 1_000;

function isHarmless(words: Words): boolean {
  return looksOnly(words) !== undefined || programOf(words[0] ?? "").builtin === "harmless";
}

/**
 * Returns true if a call may print text that is in none of the files that it names. Another program may run that text as its
 * input.
 */
function mayPrintMore(workspace: Workspace, folders: readonly string[], words: Words): boolean {
  const { builtin, reaches } = programOf(words[0] ?? "");
  if (words.some((word) => /[$`]|<\(/.test(word))) return true;
  if (builtin !== undefined) return false;
  const look = looksOnly(words);
  if (look === undefined || look.recursive || reaches !== undefined) return true;
  const isFolder = (path: string) =>
    folders.some((folder) => locateWord(workspace, folder, path).kind === "folder");
  return look.paths.length === 0 ? look.filesOnly !== true : look.paths.some(isFolder);
}

/** Returns the paths that the command itself writes when it runs, as they are in the folder in which it starts. */
function writesOf(workspace: Workspace, { calls, writesTo, folders }: ScopeSubject): readonly string[] {
  const words = [...writesTo, ...calls.flatMap((call) => writtenWords(call).map(({ word }) => word))];
  return words.map((word) => locateWord(workspace, folders[0] ?? ".", word).path);
}

function sorted(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Returns a text that changes if the name leads to another program, or if the content of an unreliable program changes;
 * undefined for an unreliable program that cannot be read.
 */
async function programMark(workspace: Workspace, place: ProgramPlace): Promise<string | undefined> {
  switch (place.kind) {
    case "stable":
    case "chosen":
      return place.path === place.real ? place.path : `${place.path} -> ${place.real}`;
    case "unstable": {
      const path = relative(workspace.root, place.path);
      const content = path.startsWith("..") ? undefined : await contentOf(workspace, path);
      const isComparable = content !== undefined && content !== notAFile && content !== generated;
      return isComparable ? `${place.path} ${markOf(content)}` : undefined;
    }
    case "path":
      return place.path;
    case "builtin":
    case "missing":
      return place.kind;
  }
}

function inWords(
  workspace: Workspace,
  subject: ScopeSubject,
  files: Readonly<Record<string, string>>,
  watched: boolean,
): string {
  return sayScope({
    ...{ text: subject.text, folder: subject.folders[0] ?? ".", calls: subject.calls, files, watched },
    git: subject.gitConfiguration !== undefined,
    isFolder: (name) => locateWord(workspace, ".", name).kind === "folder",
  });
}
