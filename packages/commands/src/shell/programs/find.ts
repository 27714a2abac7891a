/** `find` and similar programs, which list files, run a program for each file, or delete files. */
import { wordsPattern } from "@localharness/workspace/patterns";
import { optionValues } from "../option-files.ts";
import { harms } from "./harms.ts";
import type { Lost, PlainLook, ProgramRows, Words, Wrapped, WrittenWord } from "./program.ts";
import { asWritten } from "./written.ts";

const walks = { risk: "others", harm: harms.findDeletes } as const;
const find1 = {
  ...walks,
  starts: startedByFind,
  loses: lostByFind,
  writes: printedTo,
  changesFolder: eachFolder,
} as const;

export const find: ProgramRows = {
  find: { ...find1, silent: true, looks: findLooks },
  gfind: find1,
  "fd fdfind": { ...walks, starts: startedByFd },
};

/** Returns what a call of `find` may lose; only the reason if a file names where it begins, or an option may hide that. */
function lostByFind(args: Words): Lost | string | undefined {
  if (!args.includes("-delete")) return undefined;
  const why = "removes files that it finds";
  const isHidden = args.some((word) => /^-(?:files0-from|D)/.test(word));
  return isHidden ? why : { why, where: { by: "words", words: startsOf(args) } };
}

/** Returns the files and folders in which `find` begins. */
function startsOf(args: Words): Words {
  const end = args.findIndex((word) => /^[-(!]/.test(word) && !/^-[HLP]$/.test(word));
  const starts = args.slice(0, end).filter((word) => !word.startsWith("-"));
  return starts.length === 0 ? ["."] : starts;
}

/** Returns `""`, an unknown folder, for `-execdir` and `-okdir`, whose calls run in the folder of each file found. */
function eachFolder(args: Words): string | undefined {
  return args.some((word) => /^-(?:exec|ok)dir$/.test(word)) ? "" : undefined;
}

function printedTo(args: Words): readonly WrittenWord[] {
  return optionValues(args, /^-f(?:print0?|printf|ls)$/).map(asWritten);
}

function startedByFind(args: Words): readonly Wrapped[] {
  // Rules about `rm` also apply to `-delete`.
  const deletes = args.includes("-delete") ? [["rm", "-r", ...args]] : [];
  return [...callsAfter(args, /^-(?:exec|execdir|ok|okdir)$/), ...deletes].map(asCall);
}

/** Returns the calls that `fd` starts. Like `fd`, adds a place for the file name, `{}`, to a call that has none. */
function startedByFd(args: Words): readonly Wrapped[] {
  const calls = callsAfter(args, /^(?:--exec(?:-batch)?(?:=(.*))?|-[a-zA-Z0-9]*?[xX](.*))$/s);
  const hasPlace = (words: Words) => words.some((word) => /\{(?:\/{0,2}|\/?\.)\}/.test(word));
  return calls.map((words) => asCall(hasPlace(words) ? words : [...words, "{}"]));
}

/** Returns the words after each option, up to the end of the call. An option may have the first word attached. */
function callsAfter(args: Words, option: RegExp): readonly Words[] {
  const calls = args.flatMap((word, index): readonly Words[] => {
    const [found, ...attached] = option.exec(word) ?? [];
    if (found === undefined) return [];
    const rest = args.slice(index + 1);
    const end = rest.findIndex((one) => one === ";" || one === "\\;" || one === "+");
    return [[...attached.filter(Boolean), ...(end === -1 ? rest : rest.slice(0, end))]];
  });
  return calls.filter((words) => words.length > 0);
}

const asCall = (words: Words): Wrapped => ({ kind: "call", words });

const tests = wordsPattern(
  "^-",
  `name iname type path ipath wholename maxdepth mindepth size mtime mmin ctime cmin atime amin
    perm user group links regex iregex regextype newer anewer printf`,
  "$",
);
const words =
  /^-(?:not|a|and|o|or|print|print0|ls|empty|prune|depth|mount|xdev|readable|writable|executable|true|false)$/;

/** Returns the paths that the call reads; undefined if an option is unknown. `find` takes the paths before its tests. */
function findLooks(args: Words): PlainLook | undefined {
  const first = args.findIndex((word) => word.startsWith("-"));
  const paths = first === -1 ? args : args.slice(0, first);
  const rest = first === -1 ? [] : args.slice(first);
  const newer: string[] = [];
  for (let index = 0; index < rest.length; index += 1) {
    const word = rest[index] ?? "";
    if (tests.test(word) && rest[index + 1] !== undefined) {
      index += 1;
      if (/newer$/.test(word)) newer.push(rest[index] ?? "");
    } else if (!words.test(word)) return undefined;
  }
  return { paths: [...paths, ...newer], recursive: false };
}
