/** Lists the files of which a git call would print contents, before it runs. */
import { wordsPattern } from "@localharness/workspace/patterns";
import { type GitParts, listWithGit } from "./run-git.ts";

/** Matches options that change neither the set of printed files nor the form of the list of names. */
const plainOption = wordsPattern(
  "^",
  String.raw`-p -u --patch -U\d+ --unified=\d+ -w -b --cached --staged --color=never --no-color --stat
    --minimal -\d+ --oneline`,
  "$",
);
/** Matches words that certainly name a commit. Any other word may name a tag, and a tag may name the contents of a file. */
const headCommit = /^(?:HEAD|@)(?:[~^]\d*)*$/;

/**
 * Resolves to the files of `git diff`, `git show` or `git log -p`, relative to the repository; undefined if they are unknown.
 * Expects the words after `git`.
 */
export async function shownPaths(
  resources: GitParts,
  [command = "", ...rest]: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  if (!/^(?:diff|show|log)$/.test(command)) return undefined;
  if (!rest.every((word) => plainOption.test(word) || headCommit.test(word))) return undefined;
  const names = ["--name-only", "-z", "--no-renames", "--ignore-submodules=dirty"];
  const format = command === "diff" ? [] : ["--format=", "-m"];
  const kept = rest.filter((word) => word !== "--oneline");
  return await listedPaths(resources, [command, ...names, ...format, ...kept], signal);
}

/** Resolves to the paths that git lists with a NUL after each, if it is called with `words`; undefined if it fails. */
export async function listedPaths(
  resources: GitParts,
  words: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const context = { callId: "examine", signal, report: () => undefined };
  const listed = await listWithGit(resources, context, words);
  return listed.ok ? listed.value.map((name) => Buffer.from(name, "latin1").toString("utf8")) : undefined;
}
