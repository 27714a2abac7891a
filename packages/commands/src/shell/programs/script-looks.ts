/** Decides for programs with a small language, or with operands of a fixed order, if a call only reads, and which files. */
import { readOptions } from "../read-options.ts";
import type { PlainLook, Words } from "./program.ts";

/** Matches awk text that may write, run programs, read other files or show variables of the environment, wherever it stands. */
const awkDoesMore = /[|`@\\]|system|getline|extension|ENVIRON|PROCINFO|ARGV|ARGC|SYMTAB|FUNCTAB|close|fflush/;

/** Returns the files that a call of `awk` reads, if its text certainly only reads them; else undefined. */
export function awkLooks(args: Words): PlainLook | undefined {
  const separator = /^-F[^-]?$/.test(args[0] ?? "");
  const apart = args[0] === "-F";
  if (apart && !/^[^-]/.test(args[1] ?? "")) return undefined;
  const [script = "", ...files] = args.slice(apart ? 2 : separator ? 1 : 0);
  const blocks = script.includes("{") ? script.slice(script.indexOf("{")) : "";
  // `>` compares in a pattern, which is before the first block, and may write a file in a block.
  const onlyReads = script !== "" && !awkDoesMore.test(script) && !blocks.includes(">");
  return onlyReads && [script, ...files].every((word) => !word.startsWith("-"))
    ? { paths: files, recursive: false }
    : undefined;
}

const jq = {
  flags: "rcnesSMCaj",
  long: `--raw-output --compact-output --null-input --exit-status --slurp --sort-keys --monochrome-output --color-output
    --ascii-output --join-output --tab --raw-input`,
};

/** Matches a filter that shows variables of the environment, or reads other files. */
const jqDoesMore = /\$?\benv\b|\bENV\b|\b(?:import|include|modulemeta)\b/;

/** Returns the files that a call of `jq` reads, if its filter reads nothing else; else undefined. */
export function jqLooks(args: Words): PlainLook | undefined {
  const known = args.includes("--") ? undefined : readOptions(args, jq);
  const [filter, ...paths] = known?.operands ?? [];
  return filter === undefined || jqDoesMore.test(filter) ? undefined : { paths, recursive: false };
}

/**
 * Returns the file that a call of `xxd` reads; undefined for a word after it, which names a file to write even if it looks like an
 * option, and for several options in a word.
 */
export function xxdLooks(args: Words): PlainLook | undefined {
  const files: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? "";
    if (files.length > 0) return undefined;
    if (/^-(?:[abeupi]|ps|[cgls]\d+)$/.test(word)) continue;
    if (/^-[cgls]$/.test(word) && /^\d+$/.test(args[index + 1] ?? "")) index += 1;
    else if (word.startsWith("-")) return undefined;
    else files.push(word);
  }
  return { paths: files, recursive: false };
}

/** Returns what a call of `test` with one condition looks at; undefined for any other. */
export function testLooks([first = "", second = "", third, ...more]: Words): PlainLook | undefined {
  if (more.length > 0) return undefined;
  if (third === undefined) {
    const asksFile = /^-[defhLrswx]$/.test(first) && second !== "";
    if (asksFile) return { paths: [second], recursive: false, silent: true };
    return /^-[nz]$/.test(first) ? { paths: [], recursive: false } : undefined;
  }
  const isNumber = (word: string) => /^-?\d+$/.test(word);
  const compares =
    /^(?:=|==|!=)$/.test(second) ||
    (/^-(?:eq|ne|lt|le|gt|ge)$/.test(second) && isNumber(first) && isNumber(third));
  return compares ? { paths: [], recursive: false } : undefined;
}
