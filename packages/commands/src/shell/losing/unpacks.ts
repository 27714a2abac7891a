/**
 * Finds what archivers may lose, for rows of the table of programs: calls that write files whose names are in an archive or in a
 * patch, and calls that remove the files which they have stored.
 */
import { optionValues } from "../option-files.ts";
import type { Lost, Words } from "../programs/program.ts";
import { sourceOfPatch } from "./patch-names.ts";

/** Returns true if a word may name a file, or a folder with files. */
type Holds = (word: string) => boolean;

const unnamed = "writes files that the command does not name";

/** Returns what a call of `tar` may lose, if it unpacks into a folder with files or removes what it has stored. */
export function lostByTar(words: Words, holds: Holds): Lost | string | undefined {
  if (modeOfTar(words) !== "x") return lostStored(words, /^--rem/);
  const args = dashed(words);
  const keeps =
    /^(?:-[a-zA-Z]*O[a-zA-Z]*|--to-stdout|-[a-zA-Z]*k[a-zA-Z]*|--keep-old-files|--skip-old-files)$/;
  const folders = optionValues(args, /^(?:-[a-zA-Z]*C|--directory(?:=(.+))?|-C(.+))$/s);
  if (args.some((word) => keeps.test(word))) return undefined;
  // Of options that share a dash it is unknown which word is the folder. A list of names may have options such as `-C`.
  const elsewhere = /^-[a-zA-Z]*[PT]|^--(?:abs|files)|^-(?=[a-zA-Z]{2})[a-zA-Z]*C|^--dir(?!ectory(?:=|$))/;
  return lostIn(
    folders,
    holds,
    args.some((word) => elsewhere.test(word)),
  );
}

/** Returns true if `tar` unpacks, lists or compares, so that it does not change the archive. */
export function keepsArchive(args: Words): boolean {
  return /^[xtd]$/.test(modeOfTar(args));
}

/** Returns the archives that the call makes or changes. */
export function changedArchives(args: Words): Words {
  return optionValues(dashed(args), /^(?:-[a-zA-Z]*f|-[a-zA-Z]*?f(.+)|--file(?:=(.+))?)$/s);
}

/** Puts a dash before the options of `tar xzf`. */
function dashed(args: Words): Words {
  return args.map((word, at) => (at === 0 && /^[a-zA-Z]+$/.test(word) ? `-${word}` : word));
}

/** Matches the long options of the modes, also abbreviated, and no others that begin like them, such as `--compress`. */
const longMode = /^--(?:(ge|ext)|(list$)|(dif|compa)|(?:cr|ap|up|ca|conc|dele))/;

/** Returns the mode as a letter, such as `x` for `tar xzf`; empty if it has none. Long options give `x`, `t`, `d` or else `c`. */
function modeOfTar(args: Words): string {
  for (const word of dashed(args)) {
    const letter = /^-[^-fCbTXKNgHIFLV]*?([xtcruAd])/.exec(word)?.[1];
    if (letter !== undefined) return letter;
    const long = longMode.exec(word);
    if (long !== null) return ["x", "t", "d"].find((_, at) => long[at + 1] !== undefined) ?? "c";
  }
  return "";
}

/** Returns what a call of `unzip` may lose, if it unpacks into a folder with files. */
export function lostByUnzip(args: Words, holds: Holds): Lost | string | undefined {
  const keeps = /^-[a-zA-Z]*[nltvZpcz]/;
  if (args.some((word) => keeps.test(word))) return undefined;
  const elsewhere = args.some((word) => /^-.*:|^-(?!d$).*d/.test(word));
  return lostIn(optionValues(args, /^-[a-zA-Z]*d(.+)?$/s), holds, elsewhere);
}

/** Returns what a call of `7z` or `unrar` may lose, if it unpacks into a folder with files. */
export function lostByExtract([command = "", ...args]: Words, holds: Holds): Lost | string | undefined {
  const keeps = /^-(?:aos|aou|o-|so)$/;
  if (!/^[ex]$/.test(command)) return lostStored(args, /^-sdel$/);
  if (args.some((word) => keeps.test(word))) return undefined;
  // `unrar` takes the folder as its last operand.
  const operands = args.filter((word) => !word.startsWith("-")).slice(1);
  const folders = [...optionValues(args, /^-o(.+)$/s), ...operands.filter((word) => word.endsWith("/"))];
  return lostIn(folders, holds, operands.length > 0 || args.some((word) => word.startsWith("-spf")));
}

/** Returns what a call of `patch` may lose; undefined for a dry run, the version or the help. */
export function lostByPatch(args: Words): Lost | string | undefined {
  if (args.some((word) => /^--(?:dry|ver|help)/.test(word))) return undefined;
  const source = sourceOfPatch(args);
  return source === undefined ? unnamed : { why: unnamed, where: { by: "patches", source } };
}

/** Returns what a call loses if it has this option, which removes the files once they are stored; else undefined. */
export function lostStored(args: Words, option: RegExp): string | undefined {
  return args.some((word) => option.test(word)) ? "removes the files that it stores" : undefined;
}

/** Returns what a call of `cpio` or `pax` may lose, if it unpacks. */
export function lostByCopies(args: Words): string | undefined {
  const unpacks = args.some((word) => /^-[a-zA-Z]*[irp]|^--(?:ext|pass)/.test(word));
  return unpacks && !args.some((word) => /^-[a-zA-Z]*[tk]/.test(word)) ? unnamed : undefined;
}

/** Returns what is lost in the folders, or in the current one. `elsewhere` is true if files may be written outside of them. */
function lostIn(folders: Words, holds: Holds, elsewhere: boolean): Lost | string | undefined {
  const within = folders.length === 0 ? ["."] : folders;
  if (!within.some(holds)) return undefined;
  return elsewhere ? unnamed : { why: unnamed, where: { by: "words", words: within } };
}
