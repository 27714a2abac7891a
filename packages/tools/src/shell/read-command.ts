/**
 * Reads a command as bash would. It is certain only where two readers agree: the grammar, with a list of the kinds of
 * syntax that are known, and a small reader of our own. Everything else is unclear, and then nothing is allowed by it.
 */

import { builtinProblem, reservedWords } from "./builtins.ts";
import { foreignLetter, unseenCharacter } from "./characters.ts";
import type { Grammar } from "./grammar.ts";
import { type PlainCall, type PlainReading, readPlain } from "./plain-reader.ts";
import { splitCommand } from "./split-command.ts";
import { type Assignment, readTree, type TreeReading } from "./syntax-tree.ts";

export interface CommandReading {
  readonly text: string;
  /** Present when the command could be read with certainty. */
  readonly calls?: readonly PlainCall[];
  /** Why it could not; present when `calls` is not. */
  readonly unclear?: string;
  /** What cannot be seen in it or passes for something else: `U+202E (right-to-left override)`. */
  readonly deceptive?: string;
  /** Every call that was found, also in an unclear command: what it names, for deny and ask only. */
  readonly found: readonly (readonly string[])[];
  /** Files that redirections write to, as far as they are written out. */
  readonly writesTo: readonly string[];
  /** Files that input comes from, likewise. */
  readonly readsFrom: readonly string[];
  /** Words that variables are set to: what `$X` may stand for. */
  readonly values: readonly string[];
  /** Texts that calls get as their input. */
  readonly inputs: readonly string[];
  /** True when it sets what says which programs and files others run: `PATH`, a variable that names a file. */
  readonly surroundings: boolean;
}

/** Longer commands are never read with certainty, in characters. */
const longestCertain = 4096;
const longestParsed = 30_000;

export function readCommand(text: string, grammar: Grammar): CommandReading {
  const tree = readByGrammar(text, grammar);
  const plain = readPlainly(text);
  const deceptive = deceptiveIn(text, plain);
  const rough = tree?.special === undefined && plain.ok ? [] : splitCommand(text.slice(0, longestParsed));
  const found = distinct([...(tree?.calls ?? []), ...rough.map((simple) => simple.words)]);
  const writesTo = [...new Set([...(tree?.writesTo ?? []), ...rough.flatMap((simple) => simple.writesTo)])];
  const readsFrom = [
    ...new Set([...(tree?.readsFrom ?? []), ...rough.flatMap((simple) => simple.readsFrom)]),
  ];
  const surroundings = tree?.assigned.some(setsSurroundings) ?? !plain.ok;
  const base = {
    ...{ text, found, writesTo, readsFrom, surroundings },
    ...{ values: tree?.values ?? [], inputs: tree?.inputs ?? [] },
    ...(deceptive === undefined ? {} : { deceptive }),
  };
  const unclear = unclearOf(plain, tree, deceptive, grammar);
  return unclear === undefined && plain.ok
    ? { ...base, calls: plain.calls }
    : { ...base, unclear: unclear ?? "" };
}

function readByGrammar(text: string, grammar: Grammar): TreeReading | undefined {
  if (!grammar.ok || text.length > longestParsed) {
    return undefined;
  }
  try {
    const tree = grammar.parse(text);
    try {
      return tree === undefined ? undefined : readTree(tree);
    } finally {
      tree?.delete();
    }
  } catch {
    return undefined;
  }
}

function readPlainly(text: string): PlainReading {
  return text.length > longestCertain
    ? { ok: false, reason: `it has more than ${longestCertain} characters` }
    : readPlain(text);
}

const surroundingName =
  /^(?:IFS|ENV|PS4|PROMPT_COMMAND|EXECIGNORE|GLOBIGNORE|CC|CXX|LD|AR|RUSTC|BASH_.*|LD_.*|DYLD_.*|GIT_.*|npm_config_.*|.*(?:PATH|DIR|ROOT|PREFIX|HOME|OPTIONS|OPTS|OPT|FLAGS|EDITOR|PAGER|VISUAL|BROWSER|COMMAND|CMD|SHELL|WRAPPER|PROGRAM|CONFIG|LOADER|PRELOAD|HELPER|ASKPASS|STARTUP|FILES|LIB))$/i;

/** A variable for other programs that names a file, or one by which they choose what they run. */
function setsSurroundings({ name, value, exported }: Assignment): boolean {
  return surroundingName.test(name) || (exported && /[/$`~]/.test(value));
}

function deceptiveIn(text: string, plain: PlainReading): string | undefined {
  const unseen = unseenCharacter(text);
  if (unseen !== undefined) {
    return `it contains ${unseen}, which cannot be seen`;
  }
  const names = plain.ok
    ? plain.calls.map((call) => call.words[0] ?? "")
    : [/^\s*(\S*)/.exec(text)?.[1] ?? ""];
  for (const name of names) {
    const foreign = foreignLetter(name);
    if (foreign !== undefined) {
      return `the program's name "${name}" contains ${foreign}, which is not a Latin letter`;
    }
  }
  return undefined;
}

function unclearOf(
  plain: PlainReading,
  tree: TreeReading | undefined,
  deceptive: string | undefined,
  grammar: Grammar,
): string | undefined {
  if (deceptive !== undefined) {
    return deceptive;
  }
  if (!grammar.ok) {
    return `the grammar that reads commands could not be loaded (${grammar.problem}); install the program again`;
  }
  if (!plain.ok) {
    return plain.reason;
  }
  if (tree === undefined) {
    return "it could not be read in the time that is given for it";
  }
  return tree.special ?? builtinsProblem(plain.calls) ?? disagreement(plain.calls, tree.calls);
}

function builtinsProblem(calls: readonly PlainCall[]): string | undefined {
  for (const { words } of calls) {
    const [name = "", ...args] = words;
    if (reservedWords.has(name) || name.startsWith("%")) {
      return `"${name}" belongs to the shell's own syntax`;
    }
    const problem = builtinProblem(name, args);
    if (problem !== undefined) {
      return problem;
    }
  }
  return undefined;
}

function disagreement(
  plain: readonly PlainCall[],
  calls: readonly (readonly string[])[],
): string | undefined {
  const same =
    plain.length === calls.length &&
    plain.every(({ words }, index) => {
      const other = calls[index] ?? [];
      return words.length === other.length && words.every((word, position) => word === other[position]);
    });
  return same ? undefined : "it can be read in more than one way";
}

function distinct(calls: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const seen = new Map<string, readonly string[]>();
  for (const words of calls) {
    if (words.length > 0) {
      seen.set(JSON.stringify(words), words);
    }
  }
  return [...seen.values()];
}
