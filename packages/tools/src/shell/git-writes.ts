/** Which words of a git call name files that it writes, or settings by which it will start programs. */
import { countsAlways, countsForChanges } from "../git/config-keys.ts";
import { protectedName } from "../workspace/protected.ts";
import { readGitCall } from "./git-call.ts";

/** Their operands are files and folders that they change or make. */
const changesOperands = /^(?:mv|rm|restore|clean|clone|init)$/;
/** Among their operands are names of other things: those that are protected names count. */
const mayChangeOperands = /^(?:checkout|worktree|submodule|apply|bundle|reset)$/;
const output =
  /^(?:-o|--output|--output-directory|--directory|--separate-git-dir|--prefix)$|^(?:--(?:output|output-directory|directory|separate-git-dir|prefix)=|-o)(.+)$/s;

/** `words` are those after the program's name. */
export function gitWrites(words: readonly string[]): readonly string[] {
  const { command, args } = readGitCall(words);
  const rest = args.slice(1);
  if (command === "config") return configWrites(rest);
  const operands = rest.filter((word) => !word.startsWith("-"));
  const outputs = rest.flatMap((word, index) => {
    const found = output.exec(word);
    return found === null ? [] : (found[1] ?? rest[index + 1] ?? []);
  });
  const changed = changesOperands.test(command)
    ? operands
    : mayChangeOperands.test(command)
      ? operands.filter((word) => protectedName(word) !== undefined)
      : [];
  return [...changed, ...outputs];
}

/** Settings that name programs count; a name or a colour is nothing that anything starts. */
function configWrites(args: readonly string[]): readonly string[] {
  const valued = /^(?:-f|--file|--type|--default|--blob|--comment|--value)$/;
  const operands = args.filter(
    (word, index) =>
      !word.startsWith("-") && !valued.test(args[index - 1] ?? "") && !(index === 0 && word === "set"),
  );
  const named = args.flatMap((word, index) =>
    /^(?:-f|--file)$/.test(word) ? (args[index + 1] ?? []) : (/^--file=(.+)$/s.exec(word)?.slice(1) ?? []),
  );
  const [key = "", value] = operands;
  if (args.some((word) => /^(?:-l|--list|--(?:get|unset).*)$/.test(word))) return [];
  const edits =
    args.some((word) => /^(?:-e|--edit|--rename-section)$/.test(word)) ||
    /^(?:edit|rename-section)$/.test(key);
  if (!edits && (value === undefined || /^(?:get|list|unset)$/.test(key) || !startsSomething(key, value)))
    return value === undefined ? [] : named;
  const usual = args.includes("--global") ? "~/.gitconfig" : ".git/config";
  return named.length > 0 ? named : [usual];
}

function startsSomething(key: string, value: string): boolean {
  const entry = { key: key.toLowerCase(), value };
  return entry.key.startsWith("alias.") || countsAlways(entry, "/") || countsForChanges(entry, "/");
}
