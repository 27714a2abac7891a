/** Finds the files that a program runs because words of the call name them, such as scripts, modules and sources. */

import { dirname } from "node:path";
import { anyOf, wordsPattern } from "@localharness/workspace/patterns";
import { readScript } from "../interpreted.ts";
import { modulePaths } from "../loaded-files.ts";
import { optionFiles, optionValues } from "../option-files.ts";
import { spellings } from "../spellings.ts";
import type { ExecutedFile, Words } from "./program.ts";

type Files = readonly ExecutedFile[];

const elsewhere: Files = [{ kind: "elsewhere" }];
const asScript = (name: string): ExecutedFile => ({ kind: "script", name });
const asResolved = (name: string): ExecutedFile => ({ kind: "resolved", name });
export const asLoader = (name: string): ExecutedFile => ({ kind: "loader", name });
export const asFile = (name: string): ExecutedFile => ({ kind: "file", name });

/** How Node, its relatives and Python take a program among their words. */
const nodeFlags = anyOf(
  /^-[rC].|^-[AENRSWq]$/,
  wordsPattern(
    "^--",
    String.raw`check watch inspect inspect-brk enable-source-maps expose-gc hot bun smol silent quiet reload respawn
    transpile-only cached-only
    (?:allow|deny|no|unstable|trace(?!-event)|experimental(?!-(?:config|default|loader|sea|test-i)))-[\w-]+`,
    "?$",
  ),
);
export const nodeWords = { inline: /^(?:-e|-p|-pe|--eval|--print|--run)(?:=|$)/, flags: nodeFlags };
export const pythonWords = { inline: /^-[bBdEIOPqRsSuvx]*[cm]/, flags: /^-[bBdEIOPqRsSuvx]+$|^-[WX].|^--$/ };

/** Returns unknown files, for programs that run files in folders without naming them. */
export const inFolders = (): Files => elsewhere;

/** Returns every file that a word may name, for programs that may run any of them. */
export function everyWord(args: Words): Files {
  return args
    .flatMap(spellings)
    .filter((word) => word !== "")
    .map(asScript);
}

/** Returns the words with an ending such as `.java`. Words without an ending name classes or packages, not files. */
export function dottedWords(args: Words): Files {
  return args.filter((word) => !word.startsWith("-") && /\.\w+$/.test(word)).map(asScript);
}

export function javaRuns(args: Words): Files {
  const scripts = dottedWords(args);
  const asks = args.length === 0 || args.every((word) => /^-{1,2}(?:version|help)$/.test(word));
  return scripts.length === 0 && !asks ? elsewhere : scripts;
}

export function pythonRuns(args: Words): Files {
  const scripts = readScript(args, pythonWords).found;
  const folders = scripts.length === 0 ? ["."] : scripts.map((script) => dirname(script));
  return [...scripts.map(asScript), ...folders.map((name) => ({ kind: "modules", name }) as const)];
}

/** Returns the modules that options load, and the settings of tests in the folders of the words and above them. */
export function pytestRuns(args: Words): Files {
  const loaded = optionValues(args, /^-p(.+)?$/s).flatMap((name) => modulePaths(name));
  const named = args.filter((word) => !word.startsWith("-")).map((word) => word.replace(/::.*$/s, ""));
  const parts = named.flatMap((word) =>
    word.split("/").map((_, index, all) => all.slice(0, index + 1).join("/")),
  );
  return [...loaded, ...parts.map((folder) => `${folder}/conftest.py`)].map(asFile);
}

export function uvRuns(args: Words): Files {
  if (args.includes("-")) return elsewhere;
  return args[0] === "run" ? pythonRuns(args.slice(1)) : [];
}

/** Returns the files that node runs. Node adds endings to the name of a script, and runs the `index` or `main` of a folder. */
export function nodeRuns(args: Words): Files {
  return [
    ...(args.some((word) => word.startsWith("--run")) ? packageScripts() : []),
    ...readScript(args, nodeWords).found.map(asResolved),
  ];
}

export function nodemonRuns(args: Words): Files {
  return args.length === 0 ? elsewhere : nodeRuns(args);
}

const bunCommands = wordsPattern(
  "^",
  `test install i ci add a remove rm update outdated pm x create c init link unlink build publish
    patch upgrade repl audit info why`,
  "$",
);

/** Returns the files of a package script, and the script file if no command of bun is called. */
export function bunRuns(args: Words): Files {
  const run = args.indexOf("run");
  const names = readScript(run === -1 ? args : args.slice(run + 1), nodeWords).found;
  const isCommand = run === -1 && bunCommands.test(names[0] ?? "");
  return [...managerRuns(args), ...(isCommand ? [] : names.map(asResolved))];
}

export const packageScripts = (): Files => [{ kind: "package-scripts" }];

const managerFiles =
  ".npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs pnpm-workspace.yaml bunfig.toml".split(" ");
/** The files that decide what an installation runs. Without an install script npm follows `binding.gyp`. */
const installFiles =
  "package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb binding.gyp".split(" ");
const installs = wordsPattern(
  "^",
  `i in ins inst install ci clean-install add update up upgrade rebuild rb link pack publish
    version exec x dlx create init`,
  "$",
);
/** Matches options with which scripts of other packages run. */
const everyPackage = anyOf(
  wordsPattern(
    "^",
    "--workspaces --ws -ws -w --workspace --include-workspace-root -r --recursive --filter -F",
    "(?:=|$)",
  ),
  /^(?:workspaces?|recursive|multi|foreach)$/,
);

export function managerRuns(args: Words): Files {
  const whole = args.length === 0 || args.some((word) => installs.test(word));
  return whole ? packageRuns(args) : [...ownPackage(args, "package-scripts"), ...managerFiles.map(asFile)];
}

/** Returns the files for `npx` and similar programs, which may install the program that they run. */
export function packageRuns(args: Words): Files {
  return [...ownPackage(args, "package"), ...[...managerFiles, ...installFiles].map(asFile)];
}

function ownPackage(args: Words, kind: "package" | "package-scripts"): Files {
  const end = args.indexOf("--");
  const every = (end === -1 ? args : args.slice(0, end)).some((word) => everyPackage.test(word));
  // `npm start` runs this file if there is no script with that name.
  const started = args.includes("start") ? [asFile("server.js")] : [];
  return [{ kind }, ...(every ? elsewhere : []), ...started];
}

/** Returns the named files that `go run` compiles; unknown files if it names none, and for `go generate`; else none. */
export function goRuns(args: Words): Files {
  const command = args.find((word) => !word.startsWith("-"));
  if (command === "generate") return elsewhere;
  if (command !== "run") return [];
  const files = args.slice(args.indexOf("run") + 1).filter((word) => !word.startsWith("-"));
  const end = files.findIndex((word) => !word.endsWith(".go"));
  const sources = end === -1 ? files : files.slice(0, end);
  return sources.length === 0 ? elsewhere : sources.map(asScript);
}

/** Returns the makefiles in options and the files in variables, which make runs or includes: `CC=bash x.sh`, `MAKEFILES=x.mk`. */
export function makeRuns(args: Words): Files {
  const values = args.flatMap((word) => /^\w+[?:+!]*=(.+)$/s.exec(word)?.slice(1) ?? []);
  const named = values
    .flatMap((value) => value.split(/\s+/))
    .filter((word) => word !== "" && !word.startsWith("-"));
  return [...optionFiles(args, true), ...named].map((name) => ({ kind: "makefile", name }));
}
