/** What a call executes by name: package scripts, makefiles, script files. An answer is tied to their contents. */
import { isJsonObject, type JsonValue } from "@localharness/protocol";
import { looksOnly } from "./looks-only.ts";
import { optionFiles, ordersFromInput } from "./option-files.ts";
import type { ExecutedFile, Program, Words } from "./programs/program.ts";
import { everyWord } from "./programs/run-files.ts";
import { baseName, knownProgram } from "./programs/table.ts";

const elsewhere: ExecutedFile = { kind: "elsewhere" };
const asFile = (name: string): ExecutedFile => ({ kind: "file", name });

/** Options by which many programs work in another folder, or take their orders from there. */
const otherFolder =
  /^(?:-C.*|--(?:directory|cwd|chdir|project-dir|project-directory|working-directory|working-dir|work-dir|include-dir|dir|rootdir|root|test-dir)(?:=.*)?)$/;

/** Returns what the call runs by name. `literal`: its words are what they say, whatever signs are in them. */
export function executedFiles(words: Words, literal: boolean): readonly ExecutedFile[] {
  const [program = "", ...args] = words;
  const name = baseName(program);
  const own: ExecutedFile = program.includes("/") ? asFile(program) : { kind: "installed", name };
  const row = rowOf(program);
  // What is not in the table runs whatever its words name, and what cannot be told is not compared.
  if (row === undefined)
    return [
      own,
      ...everyWord(args),
      ...(literal || !args.some((word) => computed.test(word)) ? [] : [elsewhere]),
    ];
  const { files, gnuOptions, interprets, runs } = row;
  const takesOrders =
    (gnuOptions === true && ordersFromInput(args)) ||
    (files !== undefined &&
      args.some((word) => otherFolder.test(word) || row.otherFolder?.test(word) === true));
  return [
    own,
    ...(runs?.(args) ?? []),
    ...(files?.split(" ").map(asFile) ?? []),
    ...(looksOnly(words) === undefined ? executables(args) : []),
    ...(takesOrders ? [elsewhere] : []),
    ...(interprets === undefined ? [] : scriptWords(args)).map(asFile),
    ...optionFiles(args, gnuOptions === true).map(asFile),
  ];
}

const installed = /(?:^|\/)(?:node_modules\/\.bin|\.venv\/bin|vendor\/bin)\/[^/]+$/;

/** What is known of a program. One that a relative path names may be any other, unless packages bring it along. */
function rowOf(program: string): Program | undefined {
  const row = knownProgram(baseName(program));
  const isOwn = !program.includes("/") || program.startsWith("/") || installed.test(program);
  return isOwn || row?.wrapper === true ? row : undefined;
}

/** True for a program that may run any file it gets: by a word or by its input. */
export function runsAnything([program = ""]: Words): boolean {
  const row = rowOf(program);
  return row === undefined || row.runs === everyWord;
}

/** True for a program that gives others words that the command does not name. */
export function feedsOthers([program = ""]: Words): boolean {
  return rowOf(program)?.feeds !== undefined;
}

/** Matches a word that means something only the running shell knows. */
const computed = /[$`*?[{]|<\(/;

function executables(args: Words): readonly ExecutedFile[] {
  const named = args.flatMap((word) => [word, ...(/^[^=]*=(.+)$/s.exec(word)?.slice(1) ?? [])]);
  return named.map((name) => ({ kind: "executable", name }));
}

/** True for an interpreter whose script is a word that only the running shell knows: `bash $X`, `python3 *.py`. */
export function runsComputed([program = "", ...args]: Words): boolean {
  const { interprets } = knownProgram(baseName(program)) ?? {};
  if (interprets !== "shell" && interprets !== "script") return false;
  const script = args.findIndex((word) => !/^[-+]/.test(word));
  // After an option the first word may be its value, and the script one of the next.
  return args
    .slice(0, script < 1 ? script + 1 : script + 3)
    .some((word) => /[$`]|<\(/.test(word) || (!/\s/.test(word) && /[*?[{]/.test(word)));
}

/** The script, and whatever stands before it; of a module the files in which it may lie. */
function scriptWords(args: Words): Words {
  const script = args.findIndex((word) => !/^[-+]/.test(word));
  const module = args.findIndex((word) => /^-[a-zA-Z]*m$/.test(word));
  const before = args
    .slice(0, script === -1 ? args.length : script + 3)
    .filter((word) => !/^[-+]/.test(word));
  return [...before, ...(module === -1 ? [] : moduleNames(args[module + 1] ?? ""))];
}

function moduleNames(module: string): Words {
  const parts = module.split(".");
  const path = parts.join("/");
  return [
    `${path}.py`,
    `${path}/__main__.py`,
    ...parts.map((_, index) => `${parts.slice(0, index + 1).join("/")}/__init__.py`),
    ...(knownProgram(module)?.files?.split(" ") ?? []),
  ];
}

/** What of a `package.json` says how scripts run; the whole text where it is not understood. */
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

/** Files that a makefile takes in, as they are written: `*.mk` and `$(X)` among them. */
export function includedBy(makefile: string): readonly string[] {
  const joined = makefile.replace(/\\\r?\n/g, " ");
  const lines = joined.match(/^[ \t]*(?:-include|include|sinclude)[ \t]+[^\n#]*/gm) ?? [];
  return lines.flatMap((line) => line.trim().split(/\s+/).slice(1));
}

/** True for a package that runs scripts of packages in other folders when it is installed. */
export function bringsPackages(text: string): boolean {
  return /"workspaces"\s*:|"(?:file|link|portal|workspace):/.test(text);
}
