/**
 * Decides where a server starts. A server that runs nothing of the workspace starts apart from it, in a neutral folder in which no
 * name means a file of the workspace. A server that may run code of the workspace, or of another folder to which commands may
 * write, starts there, and only after the person allowed it.
 */
import { basename, extname, isAbsolute, join, resolve } from "node:path";
import { riskOfProgram } from "@localharness/commands/shell/programs/table";
import type { CommandEntry } from "@localharness/mcp/config";

export type ServerCodePlace =
  /** `command` and `args` are the entry's, with relative paths made absolute. */
  | { readonly kind: "apart"; readonly command: string; readonly args: readonly string[] }
  /** `folder` is absolute. `words` are the command and the arguments that may name code. */
  | { readonly kind: "folder"; readonly folder: string; readonly words: readonly string[] };

/** What is there on the disk. Paths are absolute. */
export interface PlaceLook {
  /** The real path of the workspace. */
  readonly root: string;
  /** Returns true if the path is in a folder to which commands may write, such as the workspace, or leads there by links. */
  leadsIn(path: string): boolean;
  kindOf(path: string): "file" | "folder" | undefined;
}

/** Returns the place of a server whose entry has no references left. `ofProject` is true for an entry of the project. */
export function placeOf(entry: CommandEntry, look: PlaceLook, ofProject: boolean): ServerCodePlace {
  const { command, args, cwd } = entry;
  const folder = resolve(look.root, cwd ?? ".");
  // A folder that the entry names is where relative words lead. The neutral folder is no such folder.
  const isWritten = (part: string) => cwd !== undefined || /^\.{1,2}(?:\/|$)/.test(part);
  const pathOf = (part: string) => (isAbsolute(part) || isWritten(part) ? resolve(folder, part) : undefined);
  const end = codeEnd([command, ...args]);
  const namesCode = (word: string, index: number) =>
    partsOf(word).some((part) => {
      const path = pathOf(part);
      if (path !== undefined && look.leadsIn(path)) return index <= end || isCode(path, look);
      return ofProject && index <= end && look.kindOf(resolve(folder, part)) !== undefined;
    });
  const runsFolder =
    (cwd !== undefined && look.leadsIn(folder)) ||
    (command.includes("/") && look.leadsIn(resolve(folder, command))) ||
    (ofProject && needsProject([command, ...args], folder, look)) ||
    args.some((word, index) => optionOfCode(args[index - 1], word) || namesCode(word, index + 1)) ||
    Object.entries(entry.env).some(
      ([name, value]) =>
        codeVariables.test(name) && partsOf(value).some((part) => isInFolder(part, folder, look)),
    );
  function optionOfCode(before: string | undefined, word: string): boolean {
    const [, option, value] = /^(-[^=]*)=(.*)$/s.exec(word) ?? [undefined, before, word];
    return option !== undefined && codeOptions.test(option) && isInFolder(value, folder, look);
  }
  if (runsFolder) {
    const isData = (word: string, index: number) =>
      index >= end && look.kindOf(resolve(folder, word)) === "folder";
    return {
      kind: "folder",
      folder,
      words: [command, ...args.filter((word, index) => !isData(word, index))],
    };
  }
  const absolute = (word: string) => (cwd === undefined ? withAbsolutePath(word, look.root) : word);
  return {
    kind: "apart",
    command: command.includes("/") ? resolve(folder, command) : command,
    args: args.map(absolute),
  };
}

/** The variables from which programs load code, or options that name code. */
const codeVariables =
  /^(?:PATH|PYTHON(?:PATH|HOME|STARTUP)|NODE_(?:PATH|OPTIONS)|CLASSPATH|JAVA_TOOL_OPTIONS|PERL5(?:LIB|OPT)|RUBY(?:LIB|OPT)|GEM_(?:PATH|HOME)|GOPATH|BASH_ENV|ENV|LD_.*|DYLD_.*|(?:npm_config|NPM_CONFIG|UV|PIP|CARGO|DENO)_.*)$/;

/** The options whose value is code, or a folder with code, wherever they stand. */
const codeOptions =
  /^(?:--(?:from|with|with-editable|with-requirements|editable|spec|package|directory|project|prefix|cwd|import|require|loader|experimental-loader|env-file|manifest-path|python|find-links|index|exec|command|module|file)|-[CpreIc])$/;

/** Programs that start what their words name, but see none of the workspace unless an option gives it to them. */
const apartPrograms: ReadonlySet<string> = new Set(["docker", "podman", "nerdctl", "ssh", "git"]);

/** Programs that start a package by its name, with the words that come before the name. */
const launchers: Readonly<Record<string, RegExp>> = {
  npx: /^$/,
  pnpx: /^$/,
  bunx: /^$/,
  uvx: /^$/,
  dnx: /^$/,
  pipx: /^run$/,
  npm: /^(?:exec|x)$/,
  pnpm: /^(?:dlx|exec)$/,
  yarn: /^dlx$/,
  bun: /^x$/,
  uv: /^tool run$/,
};

/** The endings of files that are known to be no code. */
const dataEndings: ReadonlySet<string> = new Set(
  ".db .sqlite .sqlite3 .duckdb .csv .tsv .parquet .txt .md .log .pdf .png .jpg .jpeg .gif .svg .webp .xml .html .jsonl .ndjson".split(
    " ",
  ),
);

function isCode(path: string, look: PlaceLook): boolean {
  return look.kindOf(path) === "file" && !dataEndings.has(extname(path).toLowerCase());
}

function isInFolder(part: string, folder: string, look: PlaceLook): boolean {
  return (isAbsolute(part) || /^\.{1,2}(?:\/|$)/.test(part)) && look.leadsIn(resolve(folder, part));
}

/**
 * Returns the index of the last word that decides which code runs: of the first word after the options for a program that starts
 * others or what a project says, else of the program. A word after an option that may have a value does not count as the first.
 */
function codeEnd(words: readonly string[]): number {
  if (!startsCode(words[0] ?? "")) return 0;
  let mayBeValue = false;
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word.startsWith("-")) {
      if (/^-[a-zA-Z]*m$/.test(word)) return index + 1;
      mayBeValue = !word.includes("=") && !flags.test(word);
      continue;
    }
    const isName = !mayBeValue && !verbs.test(word) && !/^\w+=/.test(word) && !startsCode(word);
    if (isName) return index;
    mayBeValue = false;
  }
  return words.length - 1;
}

const flags =
  /^-(?:[yqsuBEIvi]+|-(?:yes|quiet|silent|no-install|offline|prefer-online|prefer-offline|isolated|refresh|no-cache|bun|verbose)?)$/;
const verbs = /^(?:exec|x|dlx|run|tool|start|task|script|serve)$/;

function startsCode(program: string): boolean {
  const name = basename(program);
  return !apartPrograms.has(name) && riskOfProgram(name) !== undefined;
}

/** Returns true for a call of the project that means code of its folder: a script, a task, or a package that is installed there. */
function needsProject(words: readonly string[], folder: string, look: PlaceLook): boolean {
  const [command = "", ...args] = words;
  if (!startsCode(command)) return false;
  const before = launchers[basename(command)];
  const bare = args.filter((word) => !word.startsWith("-"));
  const verbCount = before === undefined || before.source === "^$" ? 0 : before.source.split(" ").length;
  if (before === undefined || !before.test(bare.slice(0, verbCount).join(" "))) return true;
  const name = (bare[verbCount] ?? "").replace(/(?<=.)@[^@/]*$/, "");
  return [join("node_modules", name), join("node_modules/.bin", name.replace(/^@[^/]+\//, ""))].some(
    (path) => look.kindOf(join(folder, path)) !== undefined,
  );
}

/** Returns all parts of a word that may be paths. */
function partsOf(word: string): readonly string[] {
  const parts = [word, ...word.split(/[\s'"`=;&|<>(){},:$]+/)];
  return parts.map((part) => part.replace(/^(?:file:)?\/\/\//, "/")).filter((part) => part !== "");
}

/** Returns the word with a relative path made absolute: `.`, `--root=./a`, and `./a:/b` for a container. */
function withAbsolutePath(word: string, root: string): string {
  const [, option = "", path, rest = ""] = /^(--?[\w-]+=)?(\.{1,2}(?:\/[^:]*)?)(:\/.*)?$/s.exec(word) ?? [];
  return path === undefined ? word : `${option}${resolve(root, path)}${rest}`;
}
