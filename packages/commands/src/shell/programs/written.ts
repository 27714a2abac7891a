/** Finds the files that a call writes, for rows that need more than the place of an operand. */
import { optionValues } from "../option-files.ts";
import type { Words, WriteCall, WrittenWord } from "./program.ts";

/** The maximum number of folders from options. Programs take only one. */
const maxTargets = 4;

/** Returns the paths that the operands get in a folder, which may be the last operand or one of `named`. */
export function intoFolders(operands: Words, named: Words): readonly WrittenWord[] {
  return [operands.at(-1) ?? "", ...named.slice(0, maxTargets)].flatMap((target) =>
    operands
      .filter((word) => word !== target)
      .map((word) => ({ word: `${target}/${lastName(word)}`, below: true })),
  );
}

/** Returns the operands if an option makes the program change files in place; else none. */
export function inPlace(args: Words, { operands }: WriteCall): readonly WrittenWord[] {
  return args.some((word) => /^-[a-zA-Z]*i|^--in-p/.test(word)) ? operands.map(asWritten) : [];
}

export function awkInPlace(args: Words, { operands }: WriteCall): readonly WrittenWord[] {
  return args.some((word) => /^(?:-i|--include=)?inplace$/.test(word)) ? operands.map(asWritten) : [];
}

/** Returns the files that a download writes. Their name is the last part of the address. */
export function fetched(args: Words): readonly WrittenWord[] {
  const addresses = args.filter((word) => !word.startsWith("-") && word.includes("/"));
  return addresses.map((word) => asWritten(word.replace(/[?#].*$/s, "").replace(/^.*\//s, "")));
}

/** Returns the writes of a program that writes the file of an option: the group of the match, or else the next word. */
export function namedBy(option: RegExp) {
  return (args: Words): readonly WrittenWord[] => optionValues(args, option).map(asWritten);
}

export function asWritten(word: string): WrittenWord {
  return { word, below: false };
}

function lastName(word: string): string {
  return word.replace(/\/+$/, "").replace(/^.*\//s, "");
}
