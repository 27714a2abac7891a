/** Finds the files that a git call writes, and the configuration files in which it sets a program to start. */

import { countsAlways, countsForChanges } from "@localharness/workspace/git-files/config-keys";
import { protectedName } from "@localharness/workspace/paths/protected";
import { readGitCall } from "../git-call.ts";
import { optionValues } from "../option-files.ts";

/** Matches commands that change or make the files and folders among their operands. */
const changesOperands = /^(?:mv|rm|restore|clean|clone|init)$/;
/** Matches commands whose operands are files and other things. Of these operands only protected names are returned. */
const mayChangeOperands = /^(?:checkout|worktree|submodule|apply|bundle|reset)$/;
const output = /^(?:-o(.+)?|--(?:output|output-directory|directory|separate-git-dir|prefix)(?:=(.+))?)$/s;

/** Returns the written files. `words` are the words after the program's name. */
export function gitWrites(words: readonly string[]): readonly string[] {
  const { command, args } = readGitCall(words);
  const rest = args.slice(1);
  if (command === "config") return configWrites(rest);
  const operands = rest.filter((word) => !word.startsWith("-"));
  const changed = changesOperands.test(command)
    ? operands
    : mayChangeOperands.test(command)
      ? operands.filter((word) => protectedName(word) !== undefined)
      : [];
  return [...changed, ...optionValues(rest, output)];
}

/**
 * Returns the configuration file that the call edits as a whole, or in which it sets a program that git starts. In a file
 * that the call names, any setting counts, such as a name or a colour.
 */
function configWrites(args: readonly string[]): readonly string[] {
  const valued = /^(?:-f|--file|--type|--default|--blob|--comment|--value)$/;
  const operands = args.filter(
    (word, index) =>
      !word.startsWith("-") && !valued.test(args[index - 1] ?? "") && !(index === 0 && word === "set"),
  );
  const named = optionValues(args, /^(?:-f|--file(?:=(.+))?)$/s);
  const [key = "", value] = operands;
  if (args.some((word) => /^(?:-l|--list|--(?:get|unset).*)$/.test(word))) return [];
  const edits =
    args.some((word) => /^(?:-e|--edit|--rename-section)$/.test(word)) ||
    /^(?:edit|rename-section)$/.test(key);
  const reads = value === undefined || /^(?:get|list|unset)$/.test(key) || !startsSomething(key, value);
  if (!edits && reads) return value === undefined ? [] : named;
  const usual = args.includes("--global") ? "~/.gitconfig" : ".git/config";
  return named.length > 0 ? named : [usual];
}

function startsSomething(key: string, value: string): boolean {
  const entry = { key: key.toLowerCase(), value };
  return entry.key.startsWith("alias.") || countsAlways(entry, "/") || countsForChanges(entry, "/");
}
