/** Finds the files that a call executes: package scripts, makefiles, script files. A remembered answer ends if they change. */

import { isJsonObject, type JsonValue } from "@localharness/protocol";
import { anyOf, wordsPattern } from "@localharness/workspace/patterns";
import { modulePaths } from "./loaded-files.ts";
import { looksOnly } from "./looks-only.ts";
import { optionFiles, ordersFromInput } from "./option-files.ts";
import type { ExecutedFile, Program, Words } from "./programs/program.ts";
import { asFile, asLoader, everyWord } from "./programs/run-files.ts";
import { knownProgram, programOf } from "./programs/table.ts";
import { interpretedBy } from "./starts.ts";

const elsewhere: ExecutedFile = { kind: "elsewhere" };

/** Matches options, common to many programs, for the folder in which a program works or reads its instructions. */
const otherFolder = anyOf(
  /^-C.*$/,
  wordsPattern(
    "^--",
    `directory cwd chdir project-dir project-directory working-directory working-dir work-dir include-dir dir rootdir
    root test-dir`,
    "(?:=.*)?$",
  ),
);

/** Returns the files and programs that the call runs. `literal` is true if no word contains an expansion of the shell. */
export function executedFiles(words: Words, literal: boolean): readonly ExecutedFile[] {
  const [program = "", ...args] = words;
  const own: ExecutedFile = program.includes("/")
    ? { kind: "loader", name: program }
    : { kind: "installed", name: program };
  const row = knownProgram(program);
  const byRow = row === undefined ? [] : filesOf(row, words);
  if (isKnown(program)) return [own, ...byRow];
  const isComputed = !literal && args.some((word) => computed.test(word));
  return [own, ...byRow, ...everyWord(args), ...(isComputed ? [elsewhere] : [])];
}

/** Returns the files that a program of the table runs. */
function filesOf(row: Program, words: Words): readonly ExecutedFile[] {
  const args = words.slice(1);
  const { files, gnuOptions, interprets, runs } = row;
  const read = interpretedBy(words);
  const takesOrders =
    (gnuOptions === true && ordersFromInput(args)) ||
    (read?.fromInput === true && looksOnly(words) === undefined) ||
    (files !== undefined &&
      args.some((word) => otherFolder.test(word) || row.otherFolder?.test(word) === true));
  // Also the two words after the script, because they may be scripts that it runs.
  const end = read?.length ?? args.findIndex((word) => !/^[-+]/.test(word)) + 1;
  const scripts = args.slice(0, end + 2).filter((word) => !/^[-+]/.test(word));
  return [
    ...(runs?.(args) ?? []),
    ...(files?.split(" ").map(asFile) ?? []),
    ...(looksOnly(words) === undefined ? executables(args) : []),
    ...(takesOrders ? [elsewhere] : []),
    ...(interprets === undefined ? [] : [...scripts.map(asLoader), ...moduleFiles(args)]),
    ...optionFiles(args, gnuOptions === true).map(asFile),
  ];
}

/** Matches paths in the folders of the system's programs, and in folders in which packages install programs. */
const installed = anyOf(
  /^\/(?:usr\/(?:local\/)?|opt\/(?:homebrew|local)\/)?s?bin\/[^/]+$/,
  /(?:^|\/)(?:node_modules\/\.bin|\.venv\/bin|vendor\/bin)\/[^/]+$/,
);

/** Returns true for a program of the table; in an unusual folder only for a wrapper such as `./gradlew`. */
export function isKnown(program: string): boolean {
  const row = knownProgram(program);
  return row !== undefined && (!program.includes("/") || installed.test(program) || row.wrapper === true);
}

/** Returns true for a program that may run any file that a word or its input names. */
export function runsAnything([program = ""]: Words): boolean {
  return !isKnown(program) || knownProgram(program)?.runs === everyWord;
}

/** Matches program text that may run what it reads. */
const obeys =
  /\b(?:system|exec\w*|eval|popen|spawn\w*|subprocess|run\w*|call|check_\w+|fork|sh|bash|do|source|qx)\b|\||`|getline/i;

/** Returns true for an interpreter whose text may run what it reads: `awk '{system($0)}'`. */
export function runsInput(words: Words): boolean {
  const { interprets } = programOf(words[0] ?? "");
  if (interprets === undefined || looksOnly(words) !== undefined) return false;
  return interprets === "letters"
    ? words.some((word) => ofSed.test(word))
    : words.slice(1).some((word) => obeys.test(word));
}

/** Returns the words that may be the text of a program, for an interpreter of scripts; none for other programs. */
export function programTexts([program = "", ...args]: Words): readonly string[] {
  const { interprets } = programOf(program);
  return interprets === "script" ? args.filter((word) => /[\s"'`()]/.test(word)) : [];
}

/** Matches a script of `sed` that runs lines of its input as commands. */
const ofSed = /(?:^|[;}\d$/\s])e(?:$|[;\s])|^s(\W).*?\1.*\1\w*e\w*$/s;

/** Matches a word that the shell expands when it runs. */
const computed = /[$`*?[{]|<\(|^~[^/]/;

function executables(args: Words): readonly ExecutedFile[] {
  const named = args.flatMap((word) => [word, ...(/^[^=]*=(.+)$/s.exec(word)?.slice(1) ?? [])]);
  return named.map((name) => ({ kind: "executable", name }));
}

/** Returns true for an interpreter whose script is known only when the shell runs: `bash $X`, `python3 *.py`. */
export function runsComputed(words: Words): boolean {
  const end = interpretedBy(words)?.length ?? 0;
  return words
    .slice(1, end + 1)
    .some((word) => /[$`]|<\(/.test(word) || (!/\s/.test(word) && /[*?[{]/.test(word)));
}

/** Returns the files that may contain the module of the option `-m`, and the files that the module runs as a program. */
function moduleFiles(args: Words): readonly ExecutedFile[] {
  const at = args.findIndex((word) => /^-[a-zA-Z]*m$/.test(word));
  const module = at === -1 ? "" : (args[at + 1] ?? "");
  if (module === "") return [];
  const row = knownProgram(module);
  const own = modulePaths(module).map(asLoader);
  return [...own, ...(row === undefined ? [] : filesOf(row, [module, ...args.slice(at + 2)]))];
}

/** Returns the parts of a `package.json` that decide how scripts run; the whole text if it cannot be read. */
export function scriptsOf(text: string): string {
  try {
    const parsed: JsonValue = JSON.parse(text);
    if (!isJsonObject(parsed)) return text;
    const { scripts = null, config = null, packageManager = null, workspaces = null } = parsed;
    return JSON.stringify({ scripts, config, packageManager, workspaces });
  } catch {
    return text;
  }
}

/** Returns the files that a makefile includes, as they are written, such as `a.mk`, `*.mk` and `$(X)`. */
export function includedBy(makefile: string): readonly string[] {
  const joined = makefile.replace(/\\\r?\n/g, " ");
  const lines = joined.match(/^[ \t]*(?:-include|include|sinclude)[ \t]+[^\n#]*/gm) ?? [];
  return lines.flatMap((line) => line.trim().split(/\s+/).slice(1));
}

/** Returns true for the text of a `package.json` if its installation runs scripts of packages in other folders. */
export function bringsPackages(text: string): boolean {
  return /"workspaces"\s*:|"(?:file|link|portal|workspace):/.test(text);
}
