/** Finds what is known of a program. All that is known of programs by name is in this folder. */
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

/** Every row, with its names. */
export function allRows(): readonly (readonly [names: string, row: Program])[] {
  return [shells, starters, looks, fileTools, find, textTools, network, git, node]
    .concat([pythonTools, buildTools, languages])
    .flatMap((rows) => Object.entries(rows));
}

let table: ReadonlyMap<string, Program> | undefined;

/** The row with exactly this name. */
export function exactProgram(name: string): Program | undefined {
  table ??= new Map(allRows().flatMap(([names, row]) => names.split(" ").map((one) => [one, row] as const)));
  return table.get(name);
}

/** `rm` for `/bin/rm`. */
export function baseName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

const nothing: Program = {};

/** What is known of a program by its name; an empty row for one that is not in the table. */
export function programOf(name: string): Program {
  return knownProgram(name) ?? nothing;
}

/** The row of a program, also of `python3.12` and `mkfs.ext4`; undefined for one that is not in the table. */
export function knownProgram(name: string): Program | undefined {
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

/** What makes a program unfit for a rule that allows it with any arguments; undefined for one that is not known to be. */
export function riskOfProgram(program: string): string | undefined {
  const name = baseName(program).replace(/\.exe$/i, "");
  // python3.12, ruby3.3, node22: a version is the same program.
  const row =
    knownProgram(name) ?? exactProgram(name.replace(/[\d.-]+$/, "")) ?? exactProgram(name.toLowerCase());
  const starts = typeof row?.starts === "object" && row.starts.optionsOnly === true ? undefined : row?.starts;
  const risk = row?.risk ?? (row?.interprets === undefined ? starts && "others" : "interpreter");
  return risk && risks[risk];
}
