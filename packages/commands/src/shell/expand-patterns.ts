/** Finds the calls of a command that is unclear only because of patterns of file names. The matching names replace each pattern. */
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { createWordExpander } from "./expand-word.ts";
import { mayExist } from "./locate.ts";
import type { Words } from "./programs/program.ts";
import { programOf } from "./programs/table.ts";
import { type CommandReading, maxCertainLength, problemOf } from "./read-command.ts";

/**
 * Returns the calls with the matching names in place of each pattern; a pattern without matches stays. The result may
 * be used only for commands that read. Returns undefined if there is no pattern, if the command is also unclear for another
 * reason, if a name begins with `-` or has a quote or a line end, if a call changes the folder, or if a limit is reached.
 */
export function callsByPatterns(
  workspace: Workspace,
  folder: string,
  { text, patterned = [] }: CommandReading,
): readonly Words[] | undefined {
  if (!patterned.some(({ patterns }) => patterns.length > 0)) return undefined;
  const expander = createWordExpander(workspace);
  let isSafe = true;
  let { length } = text;
  const calls = patterned.map(({ words, patterns }) =>
    words.flatMap((word, at) => {
      if (!patterns.includes(at)) return [word];
      // If no name matches, bash keeps the pattern as a word.
      const meant = expander.expand(folder, word).filter((name) => isMeant(word, name));
      const names = meant.length === 0 || mayExist(workspace, folder, word) ? [word, ...meant] : meant;
      // An option stays as it is written if no file has a name such as `--include=a.js`.
      isSafe &&= names.every(
        (name) => !/['\n\t]/.test(name) && (!name.startsWith("-") || isOption(name, word)),
      );
      length += names.join("'' ").length - word.length;
      return names;
    }),
  );
  if (!isSafe || expander.incomplete() || length > maxCertainLength) return undefined;
  if (problemOf(calls) !== undefined) return undefined;
  const moves = calls.some(([name = "", ...args]) => programOf(name).changesFolder?.(args) !== undefined);
  return moves ? undefined : calls;
}

function isOption(name: string, pattern: string): boolean {
  return name === pattern && /^--[a-z-]+=/.test(pattern);
}

/** Returns false if a part of the path begins with a dot and that part of the pattern does not: bash skips such names. */
function isMeant(pattern: string, name: string): boolean {
  const parts = pattern.split("/");
  return name
    .split("/")
    .every((one, index) => !one.startsWith(".") || parts[index]?.startsWith(".") === true);
}
