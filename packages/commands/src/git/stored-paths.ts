/** Lists the files whose contents a call of git would take into the repository, before it runs. */

import { isAbsolute, join } from "node:path";
import { wordsPattern } from "@localharness/workspace/patterns";
import { nestedSecrets } from "./nested-secrets.ts";
import { type GitParts, listWithGit } from "./run-git.ts";

export interface StoringCall {
  /** The words after `git` and the options before the command. */
  readonly words: readonly string[];
  /** The folders in which the call may run, relative to the workspace; undefined if they are unknown. */
  readonly folders: readonly string[] | undefined;
}

/** Matches options of `git add` and `git update-index` that change neither which paths are meant nor how they are read. */
const plainOption = /^(?:-[Afuv]+|--all|--force|--update|--verbose|--add|--remove|--refresh|-q)$/;
/** Matches options of `git commit` whose value is the next word. */
const valued = wordsPattern(
  "^",
  `-[a-zA-Z]*[mFCct]
    --(?:message|file|author|date|template|reuse-message|reedit-message|fixup|squash|trailer|cleanup)`,
  "$",
);

/**
 * Resolves to the files that `git add`, `git update-index` or `git commit` would store, relative to the workspace; undefined
 * for any other call. From repositories other than that of the workspace's root, only files of secrets are listed. If an
 * option, path or folder is uncertain, and for every `git commit`, all changed files that the call may store are listed.
 */
export async function storedPaths(
  resources: GitParts,
  { words: [command = "", ...rest], folders }: StoringCall,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const { options, paths } = splitWords(command, rest);
  if (!/^(?:add|stage|commit|update-index)$/.test(command)) return undefined;
  const isCommit = command === "commit";
  if (
    command === "update-index" &&
    paths.length === 0 &&
    options.every((word) => /^(?:-q|--.*refresh)$/.test(word))
  )
    return undefined;
  const isPlain = !isCommit && options.every((word) => plainOption.test(word)) && !paths.some(isComputed);
  const isForced =
    command === "update-index" || options.some((word) => word === "--force" || /^-[a-zA-Z]*f/.test(word));
  const status = [
    "status",
    "--porcelain",
    "-z",
    "--untracked-files=all",
    "--no-renames",
    "--ignore-submodules=dirty",
  ];
  const asked = [...status, ...(isForced && !isCommit ? ["--ignored=matching"] : [])];
  const named = isPlain && folders !== undefined ? inFolders(paths, folders) : [];
  const context = { callId: "examine", signal, report: () => undefined };
  const some =
    named.length > 0 ? await listWithGit(resources, context, [...asked, "--", ...named]) : undefined;
  // Git refuses paths outside of the repository. Then all changed files are listed.
  const listed = some?.ok === true ? some : await listWithGit(resources, context, asked);
  const takesTracked =
    !isCommit || paths.length > 0 || options.some((word) => word === "--all" || /^-[a-zA-Z]*a/.test(word));
  const nested = takesTracked
    ? await nestedSecrets(resources, { folders, named, ignored: isForced && !isCommit }, signal)
    : [];
  if (!listed.ok) return nested;
  const taken = listed.value.flatMap((entry) =>
    isTaken(entry, isCommit, takesTracked) ? [pathOf(entry)] : [],
  );
  return [...taken, ...nested];
}

/** Returns the options, and the words that name paths. */
function splitWords(command: string, rest: readonly string[]) {
  const ends = rest.indexOf("--");
  const isOption = (word: string, at: number) => word.startsWith("-") && (ends === -1 || at < ends);
  const isValue = (at: number) =>
    command === "commit" && valued.test(rest[at - 1] ?? "") && isOption(rest[at - 1] ?? "", at - 1);
  return {
    options: rest.filter(isOption),
    paths: rest.filter((word, at) => at !== ends && !isOption(word, at) && !isValue(at)),
  };
}

function inFolders(paths: readonly string[], folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => paths.map((path) => (isAbsolute(path) ? path : join(folder, path))));
}

/** Returns true if the call stores the file. An entry of `git status` begins with its states in the index and the folder. */
function isTaken(entry: string, isCommit: boolean, takesTracked: boolean): boolean {
  const [staged = " ", changed = " "] = entry;
  const isRemoved = staged === "D" || (staged === " " && changed === "D");
  if (isRemoved) return false;
  if (!isCommit) return changed !== " ";
  return (staged !== "?" && staged !== " ") || (takesTracked && changed === "M");
}

function pathOf(entry: string): string {
  return Buffer.from(entry.slice(3), "latin1").toString("utf8");
}

/** Returns true for a word that the shell or git reads as more than a path. */
function isComputed(word: string): boolean {
  return /[$`~{]|^:/.test(word);
}
