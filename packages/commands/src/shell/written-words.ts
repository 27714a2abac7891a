/** Finds the words of a call that name the files that it writes. */

import { protectedName } from "@localharness/workspace/paths/protected";
import { wordsPattern } from "@localharness/workspace/patterns";
import { looksOnly } from "./looks-only.ts";
import { optionValues } from "./option-files.ts";
import type { Program, Words, WrittenWord } from "./programs/program.ts";
import { programOf } from "./programs/table.ts";
import { asWritten, intoFolders } from "./programs/written.ts";

/** Matches options that name the written file or folder, even `-xoFILE`, for programs with output options. */
const output = wordsPattern(
  "^",
  `-out -[a-zA-Z]*[oOtdCP]
    --(?:output|out|output-file|target-directory|output-dir|directory)(?:=(.+))?
    -[a-zA-Z]*?[oOtdCP]([^=].*)`,
  "$",
  "s",
);

export function writtenWords(words: Words): readonly WrittenWord[] {
  const args = words.slice(1);
  const row = programOf(words[0] ?? "");
  const operands = args.filter((word, at) => !word.startsWith("-") && !/^--exclude/.test(args[at - 1] ?? ""));
  const named = row.outputOption === true ? optionValues(args, output) : [];
  const written = [
    ...[...named, ...protectedOutputs(words, row)].map(asWritten),
    ...(row.writes === "last" && looksOnly(words) !== undefined ? [] : byPlace(row, args, operands, named)),
  ];
  const keeps = row.keeps === true || row.keeps?.(args) === true;
  return written
    .filter(({ word }) => word !== "" && word !== "-")
    .map((one) => (keeps ? { ...one, keeps } : one));
}

function byPlace(
  { writes, entersFolder }: Program,
  args: Words,
  operands: Words,
  named: Words,
): readonly WrittenWord[] {
  const below = writes === "below" || args.some((word) => /^-[A-Za-z]*[rR]|^--recursive$/.test(word));
  const entered = entersFolder === true && isEntered(args);
  switch (writes) {
    case undefined:
      return [];
    case "operands":
    case "below":
      return operands.map((word) => ({ word: word.replace(compressed, ""), below }));
    case "last":
      return operands.length > 1
        ? [
            // The files in a folder may be replaced, unless the program only puts files in it.
            { word: operands.at(-1) ?? "", below: below || entersFolder !== true, entered },
            ...intoFolders(operands, named),
          ]
        : [];
    default:
      return writes(args, { operands, named });
  }
}

/** Returns false if a copy may take the place of the folder, or put the files of a source folder in it. */
function isEntered(args: Words): boolean {
  return (
    !args.some((word) => /^-[a-zA-Z]*T|^--no-t/.test(word)) &&
    !args.slice(0, -1).some((word) => word.endsWith("/"))
  );
}

const compressed = /\.(?:gz|bz2|xz|zst)$/;

/** Matches options of any program whose names suggest that a file is written, even if they are abbreviated. */
const longOutput =
  /^--(?:.*(?:out|dest|targ|dir|prefix|save|dump|jar|trace|log|write|stderr|append|create|tmp|file|cookie).*|tar)$/i;
const longInput = /exclude|ignore|git-dir|config|include|env|from|work-tree/i;
const shortOutput = /^-(?:[a-zA-Z]*[oOdDtP]|Logfile|out\w*|o(?=.))$/;

/** Returns the protected names among the values of options that write a file; none for a call that only reads. */
function protectedOutputs(words: Words, { writesBy }: Program): Words {
  const args = words.slice(1);
  if (looksOnly(words) !== undefined) return [];
  const isOutput = (option: string) =>
    (longOutput.test(option) && !longInput.test(option)) ||
    shortOutput.test(option) ||
    writesBy?.test(option) === true;
  return args
    .flatMap((word, index) => {
      const [, option = word, value = args[index + 1] ?? ""] = /^(--?[\w-]+)=(.+)$/s.exec(word) ?? [];
      const attached = /^-[oODdtPcC](?=[^=])(.+)$/s.exec(word)?.slice(1) ?? [];
      return isOutput(option) ? [value, ...attached] : attached;
    })
    .filter((word) => protectedName(word) !== undefined);
}
