/** Says in words what a remembered answer covers, from the marks that are compared and from nothing else. */

import { notAFile } from "@localharness/workspace/files/not-a-file";
import { looksOnly } from "../shell/looks-only.ts";
import type { Words } from "../shell/programs/program.ts";
import { knownProgram } from "../shell/programs/table.ts";
import { wholeTree } from "./tree-mark.ts";

export interface SaidScope {
  readonly text: string;
  readonly folder: string;
  readonly calls: readonly Words[];
  /** The marks, as they are in the scope. */
  readonly files: Readonly<Record<string, string>>;
  /** True if the configuration of git is a part of the scope. */
  readonly git: boolean;
  /** True if the scope changes when a tool writes in the workspace. */
  readonly watched: boolean;
  readonly isFolder: (name: string) => boolean;
}

/** Returns the sentence: what must not change while the answer holds, and what may. */
export function sayScope(scope: SaidScope): string {
  const where = scope.folder === "." ? "" : `, in its folder "${scope.folder}"`;
  const kept = keptParts(scope);
  const until = kept.length === 0 ? "" : `, as long as ${kept.join(" and ")}`;
  const free = freeParts(scope);
  const may = free.length === 0 ? "" : `; ${listed(free)} may change`;
  return `exactly this command${where}${until}${may}: ${scope.text}`;
}

function keptParts({ files, git, watched }: SaidScope): readonly string[] {
  if (files[wholeTree] !== undefined) return ["no file of the workspace changes"];
  const names = Object.entries(files).flatMap(([name, mark]) => (mark === notAFile ? [] : [nameOf(name)]));
  const tied = [...names, ...(git ? ["the configuration of git"] : [])];
  const isOne = tied.length === 1 && !/^the (?:scripts|names) /.test(tied[0] ?? "");
  return [
    ...(tied.length === 0 ? [] : [`${listed(tied)} ${isOne ? "does" : "do"} not change`]),
    ...(watched ? ["no tool writes another file"] : []),
  ];
}

const pythonNames = /^(?:(.*)\/)?\*\.py names$/;

function nameOf(name: string): string {
  if (name.endsWith(" scripts")) return `the scripts of ${name.slice(0, -" scripts".length)}`;
  const modules = pythonNames.exec(name);
  return modules === null ? name : `the names of the modules in ${modules[1] ?? "its folder"}`;
}

/** Returns what the command may use although it is not compared. */
function freeParts({ files, calls, isFolder }: SaidScope): readonly string[] {
  if (files[wholeTree] !== undefined) return [];
  const folders = Object.entries(files).flatMap(([name, mark]) =>
    mark === notAFile && isFolder(name) ? [`the files in ${name}`] : [],
  );
  return [...folders, ...(calls.some(loadsMore) ? ["other files that it loads"] : [])];
}

/** Returns true for a program that loads or runs further files, which only its own files name. */
function loadsMore(words: Words): boolean {
  const row = knownProgram(words[0] ?? "");
  if (row === undefined || row.reaches !== undefined || looksOnly(words) !== undefined) return false;
  const { interprets, runs, files, wrapper, risk } = row;
  return /^(?:shell|script)$/.test(interprets ?? "") || (runs ?? files ?? wrapper ?? risk) !== undefined;
}

const maxNamed = 4;

/** Returns at most four parts with commas and "and"; the number of the others if there are more. */
function listed(parts: readonly string[]): string {
  const rest = parts.length - maxNamed + 1;
  const shown = parts.length > maxNamed ? [...parts.slice(0, maxNamed - 1), `${rest} more`] : parts;
  return shown.length === 1 ? (shown[0] ?? "") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
