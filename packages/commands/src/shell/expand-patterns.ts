/** Reads a command that is unclear only because of patterns of file names. The matching names replace each pattern. */
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { createWordExpander } from "./expand-word.ts";
import type { Grammar } from "./grammar.ts";
import { mayExist } from "./locate.ts";
import type { Words } from "./programs/program.ts";
import { programOf } from "./programs/table.ts";
import { readCommand } from "./read-command.ts";

/** A quoted text, a pattern that is a whole word, or any other character. */
const parts =
  /'[^']*'|"[^"]*"|((?<![^\s;|&])(?:--(?:include|exclude|exclude-dir|glob)=)?[\w\-./,+@%*?]*[*?][\w\-./,+@%*?]*(?![^\s;|&]))|[\s\S]/g;

/**
 * Returns the calls with the matching names in place of each pattern; a pattern without matches stays. The result may
 * be used only for commands that read. Returns undefined if there is no pattern, if a pattern is not a whole word, if the
 * command is also unclear for another reason, if a name begins with `-` or has a quote or a line end, if a call changes the
 * folder, or if a limit is reached.
 */
export function callsByPatterns(
  workspace: Workspace,
  folder: string,
  text: string,
  grammar: Grammar,
): readonly Words[] | undefined {
  const expander = createWordExpander(workspace);
  let isPlain = true;
  const expanded = text.replace(parts, (part: string, pattern: string | undefined) => {
    // A pattern directly beside a quoted text forms one word with that text.
    isPlain &&= pattern !== undefined || !/^[*?]/.test(part);
    if (pattern === undefined) return part;
    // If no name matches, bash keeps the pattern as a word.
    const meant = expander.expand(folder, part).filter((name) => isMeant(part, name));
    const names = meant.length === 0 || mayExist(workspace, folder, part) ? [part, ...meant] : meant;
    // An option stays as it is written if no file has a name such as `--include=a.js`.
    isPlain &&= names.every((name) => !/['\n]/.test(name) && (!name.startsWith("-") || isOption(name, part)));
    return names.map((name) => `'${name}'`).join(" ");
  });
  if (!isPlain || expanded === text || expander.incomplete()) return undefined;
  const calls = readCommand(expanded, grammar).calls?.map(({ words }) => words);
  const moves = calls?.some(([name = "", ...args]) => programOf(name).changesFolder?.(args) !== undefined);
  return moves === true ? undefined : calls;
}

function isOption(name: string, pattern: string): boolean {
  return name === pattern && /^--[a-z-]+=/.test(pattern);
}

/** Returns the text with a plain word in place of each pattern. Its calls and operators stay the same. */
export function withoutPatterns(text: string): string {
  return text.replace(parts, (part: string, pattern: string | undefined) =>
    pattern === undefined ? part : "pattern",
  );
}

/** Returns false if a part of the path begins with a dot and that part of the pattern does not: bash skips such names. */
function isMeant(pattern: string, name: string): boolean {
  const parts = pattern.split("/");
  return name
    .split("/")
    .every((one, index) => !one.startsWith(".") || parts[index]?.startsWith(".") === true);
}
