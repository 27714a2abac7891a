/** `find` and similar programs, which list files, run a program for each file, or delete files. */
import { optionValues } from "../option-files.ts";
import { harms } from "./harms.ts";
import type { Look, ProgramRows, Words, Wrapped, WrittenWord } from "./program.ts";
import { asWritten } from "./written.ts";

const walks = { risk: "others", starts: startedByFind, harm: harms.findDeletes } as const;
const find1 = {
  ...walks,
  loses: (args: Words) => (args.includes("-delete") ? "removes files that it finds" : undefined),
  writes: printedTo,
  changesFolder: eachFolder,
} as const;

export const find: ProgramRows = {
  find: { ...find1, silent: true, looks: findLooks },
  gfind: find1,
  "fd fdfind": { ...walks, starts: startedByFd },
};

/** Returns an unknown folder for `-execdir`, which runs in the folder of each file that it finds. */
function eachFolder(args: Words): string | undefined {
  return args.some((word) => /^-(?:exec|ok)dir$/.test(word)) ? "" : undefined;
}

function printedTo(args: Words): readonly WrittenWord[] {
  return optionValues(args, /^-f(?:print0?|printf|ls)$/).map(asWritten);
}

function startedByFind(args: Words): readonly Wrapped[] {
  const starts = args.flatMap((word, index) =>
    /^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(word) ? [index + 1] : [],
  );
  const calls = starts.map((start): Words => {
    const rest = args.slice(start);
    const end = rest.findIndex((word) => word === ";" || word === "\\;" || word === "+");
    return end === -1 ? rest : rest.slice(0, end);
  });
  // Rules about `rm` also apply to `-delete`.
  const deletes = args.includes("-delete") ? [["rm", "-r", ...args]] : [];
  return [...calls.filter((words) => words.length > 0), ...deletes].map((words) => ({ kind: "call", words }));
}

/** Returns the calls that `fd` starts. It adds the name of a file to a call that has no place for one. */
function startedByFd(args: Words): readonly Wrapped[] {
  return startedByFind(args).map((one) => {
    if (one.kind !== "call") return one;
    const hasPlace = one.words.some((word) => /\{(?:|\/|\/\/|\.|\/\.)\}/.test(word));
    return hasPlace ? one : { ...one, words: [...one.words, "{}"] };
  });
}

const tests =
  /^-(?:name|iname|type|path|ipath|wholename|maxdepth|mindepth|size|mtime|mmin|ctime|cmin|atime|amin|perm|user|group|links|regex|iregex|regextype|newer|anewer|printf)$/;
const words =
  /^-(?:not|a|and|o|or|print|print0|ls|empty|prune|depth|mount|xdev|readable|writable|executable|true|false)$/;

/** Returns the paths that the call reads; undefined if an option is unknown. `find` takes the paths before its tests. */
function findLooks(args: Words): Look | undefined {
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
