/** Finds the row of a program. The other files of this folder have the rows. */
import { buildTools } from "./build-tools.ts";
import { fileTools } from "./file-tools.ts";
import { find } from "./find.ts";
import { git } from "./git.ts";
import { languages } from "./languages.ts";
import { looks } from "./looks.ts";
import { network } from "./network.ts";
import { node } from "./node.ts";
import type { Program, ProgramRisk } from "./program.ts";
import { pythonTools } from "./python.ts";
import { shells } from "./shells.ts";
import { starters } from "./starters.ts";
import { textTools } from "./text-tools.ts";

/** Returns every row with its names. */
export function allRows(): readonly (readonly [names: string, row: Program])[] {
  return [shells, starters, looks, fileTools, find, textTools, network, git, node]
    .concat([pythonTools, buildTools, languages])
    .flatMap((rows) => Object.entries(rows));
}

let table: ReadonlyMap<string, Program> | undefined;

/** Returns the row with exactly this name; undefined if there is none. */
export function exactProgram(name: string): Program | undefined {
  table ??= new Map(allRows().flatMap(([names, row]) => names.split(" ").map((one) => [one, row] as const)));
  return table.get(name);
}

/** Returns the variables with which all programs of the table give up at once without network. */
export function offlineVariables(): Readonly<Record<string, string>> {
  return Object.assign({}, ...allRows().map(([, row]) => row.offline ?? {}));
}

/** Returns the variables with which all programs of the table wait for the person's answers about hosts, and need few of them. */
export function askedVariables(): Readonly<Record<string, string>> {
  return Object.assign({}, ...allRows().map(([, row]) => row.asked ?? {}));
}

/** Returns the last part of a path: `rm` for `/bin/rm`. */
export function baseName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

/** Returns the row of the program that a word names; an empty row if it is not in the table. */
export function programOf(word: string): Program {
  return knownProgram(word) ?? {};
}

/** Returns the row of the program that a word names, even for `python3.12`; undefined if it is not in the table. */
export function knownProgram(word: string): Program | undefined {
  const name = baseName(word);
  const exact = exactProgram(name);
  if (exact !== undefined) return exact;
  const versioned = exactProgram(name.replace(/[\d.-]+$/, ""));
  return versioned?.interprets === undefined
    ? exactProgram(/^(?:mkfs\.|ld-linux)/.exec(name)?.[0] ?? "")
    : versioned;
}

const risks: Readonly<Record<ProgramRisk, string>> = {
  interpreter: "an interpreter",
  others: "a program that runs others",
  project: "a program that runs what a project says",
  repository: "a program that runs what a repository says",
};

/** Returns why no rule may allow every call of a program, such as `an interpreter`; undefined if a rule may. */
export function riskOfProgram(program: string): string | undefined {
  const name = baseName(program).replace(/\.exe$/i, "");
  // A name with a version means the same program: python3.12, node22.
  const row =
    knownProgram(name) ?? exactProgram(name.replace(/[\d.-]+$/, "")) ?? exactProgram(name.toLowerCase());
  const starts = typeof row?.starts === "object" && row.starts.optionsOnly === true ? undefined : row?.starts;
  const risk = row?.risk ?? (row?.interprets === undefined ? starts && "others" : "interpreter");
  return risk && risks[risk];
}
