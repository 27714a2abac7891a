/** Finds calls of programs whose names are known only when the command runs: `$c -rf old`. */

import type { Words } from "../shell/programs/program.ts";
import { baseName, programOf } from "../shell/programs/table.ts";

/** Matches what the shell replaces in a word. */
export const isComputed = /[$`*?[{]/;

/** Matches an expansion without another one in it. */
const expansion = /\$\([^()]*\)|\$\{[^{}]*\}|`[^`]*`/g;
const maxNested = 10;

/** What a command may lose by calls of programs that are known only when it runs. */
export interface ComputedLoss {
  /** A description of the first such call. */
  readonly why: string;
  /** The words of all such calls that may name files. */
  readonly words: Words;
}

/**
 * Returns what a command may lose by calls whose program is an expansion, or an alias that the command defines: their words name
 * an existing file, or it is unknown what they name. Returns undefined if there is no such call. `isThere` returns true for a
 * word that names an existing file or folder.
 */
export function lostByComputed(
  calls: readonly Words[],
  isThere: (word: string) => boolean,
): ComputedLoss | undefined {
  const aliases = new Set(calls.flatMap(aliasesOf));
  const lookedUp = new Set(calls.flatMap(lookedUpBy));
  let why: string | undefined;
  const named: string[] = [];
  for (const words of calls) {
    const [name = "", ...args] = words;
    const isHidden = aliases.has(name) || (isComputedName(name) && !lookedUp.has(JSON.stringify(words)));
    if (!isHidden || (args.length > 0 && !args.some((word) => mayName(word, isThere)))) continue;
    why ??= `it is unknown which program ${JSON.stringify(name)} is, and which files it changes`;
    // Without words nothing is known of what the expansion holds.
    named.push(...(args.length === 0 ? [name] : args.flatMap(namedBy)));
  }
  return why === undefined ? undefined : { why, words: named };
}

/** Returns true if the last part of the name, which tells the program, contains an expansion. */
function isComputedName(name: string): boolean {
  if (/^\[\[?$/.test(name)) return false;
  let plain = name;
  for (let depth = 0; depth < maxNested; depth += 1) plain = plain.replace(expansion, "$");
  return isComputed.test(baseName(plain)) || /[(){}]/.test(plain);
}

/** Returns true if the word, or the value in `--file=x`, `of=x` or `-fx`, may name an existing file. */
function mayName(word: string, isThere: (word: string) => boolean): boolean {
  return isComputed.test(word) || namedBy(word).some(isThere);
}

/** Returns the word, and the value in `--file=x`, `of=x` or `-fx`. */
function namedBy(word: string): Words {
  const value = /^-{0,2}[\w-]+=(.*)$/s.exec(word)?.[1] ?? /^-\w(.+)$/s.exec(word)?.[1] ?? "";
  return value === "" ? [word] : [word, value];
}

function aliasesOf([name = "", ...args]: Words): Words {
  return programOf(name).renames === true ? args.flatMap((word) => /^([^=]+)=/.exec(word)?.[1] ?? []) : [];
}

/** Returns the calls, as texts, that `command -v` only looks up. */
function lookedUpBy([name, ...args]: Words): Words {
  return name === "command" && /^-p?[vV]/.test(args[0] ?? "") ? [JSON.stringify(args.slice(1))] : [];
}
