/**
 * Reads a command as bash does. A reading is certain only if two readers agree: the grammar, which accepts a list of known
 * syntax, and the small plain reader. Any other command is unclear, and no rule can allow it.
 */

import { defined } from "@localharness/protocol";
import { anyOf, wordsPattern } from "@localharness/workspace/patterns";
import { foreignLetter, unseenCharacter } from "./characters.ts";
import type { Grammar } from "./grammar.ts";
import { type LeadingFolder, leadingFolder, type Sources } from "./leading-folder.ts";
import { type LocatedCall, type PlainCall, readPlain } from "./plain-reader.ts";
import type { Words } from "./programs/program.ts";
import { exactProgram } from "./programs/table.ts";
import {
  type Assignment,
  joinRedirections,
  type Redirections,
  readTree,
  type TreeReading,
} from "./syntax-tree.ts";

export interface CommandReading
  extends Redirections,
    Pick<TreeReading, "vouched" | "values" | "inputs" | "torn"> {
  readonly text: string;
  /** The calls, if the command could be read with certainty. */
  readonly calls?: readonly PlainCall[];
  /** The reason why the command could not be read with certainty; present if `calls` is absent. */
  readonly unclear?: string;
  /** The calls of a command that is unclear only because of patterns of file names. */
  readonly patterned?: readonly LocatedCall[];
  /** What a command names that is unclear only because of patterns and redirections. */
  readonly nearlyClear?: { readonly calls: readonly LocatedCall[]; readonly files: readonly string[] };
  /** The reason why the text may deceive: an invisible character, or a character in a program's name that is not ASCII. */
  readonly deceptive?: string;
  /** True if the grammar did not read the text: it is not available or too slow, or the text is too long or too complex. */
  readonly unread: boolean;
  /** Every call that was found, even in an unclear command. No rule allows a command because of this list. */
  readonly found: readonly Words[];
  /** True if an assignment in the command may decide which programs run or what they run, such as one to `PATH`. */
  readonly surroundings: boolean;
  /** True if a word or an assignment may name the repository of git, such as `GIT_DIR=x`. */
  readonly namesRepository: boolean;
  /** True if a function starts itself twice without end. */
  readonly doubles: boolean;
  /** Returns the folder that the command names first, and the reading of the rest; undefined if there is none. */
  there(): CommandThere | undefined;
}

export interface CommandThere extends Omit<LeadingFolder, "rest"> {
  readonly rest: CommandReading;
}

/** The maximum length, in UTF-16 units, of a command that is read with certainty. */
export const maxCertainLength = 4096;
const maxParsedLength = 30_000;

/** Parses a text once, and each part of a text that has a syntax error. A `CommandReader` remembers what this function returns. */
export function readCommand(text: string, grammar: Grammar): CommandReading {
  const tree = readByGrammar(text, grammar);
  const pieces = tree?.torn === true ? readPieces(text, grammar) : [];
  return readingOf({ text, plain: readPlain(text), ...defined({ tree }) }, pieces, grammar);
}

function readingOf(sources: Sources, pieces: readonly TreeReading[], grammar: Grammar): CommandReading {
  const { text, plain, tree } = sources;
  const deceptive = deceptiveIn(sources);
  const readings = tree === undefined ? [] : [tree, ...pieces];
  const every = (of: "values" | "inputs") => [...new Set(readings.flatMap((one) => one[of]))];
  const [values, inputs] = [every("values"), every("inputs")];
  const found = distinct(tree === undefined ? plainCalls(sources) : readings.flatMap(({ calls }) => calls));
  const assigned = tree?.assigned.some(setsSurroundings) ?? plain.unclear !== undefined;
  const base = {
    ...{ text, found, unread: tree === undefined, torn: tree?.torn ?? true, vouched: tree?.vouched ?? [] },
    ...{ ...joinRedirections(readings), values, inputs },
    surroundings: assigned || mayAssign(found, values),
    namesRepository: namesRepository(sources, readings, [...values, ...inputs, ...found.flat()]),
    doubles: readings.some(doubles),
    ...defined({ deceptive }),
    there: () => {
      const there = leadingFolder(sources);
      return there && { ...there, rest: readingOf(there.rest, pieces, grammar) };
    },
  };
  const unclear = deceptive ?? unclearOf(sources, grammar);
  if (unclear !== undefined) return { ...base, unclear, ...nearlyClear(sources, deceptive) };
  return { ...base, calls: (plain.calls ?? []).map(({ words, after }) => ({ words, after })) };
}

function readByGrammar(text: string, grammar: Grammar): TreeReading | undefined {
  if (!grammar.ok || text.length > maxParsedLength) return undefined;
  try {
    const tree = grammar.parse(text);
    try {
      return tree === undefined ? undefined : readTree(tree, text);
    } finally {
      tree?.delete();
    }
  } catch {
    return undefined;
  }
}

const maxPieces = 60;

/** Reads the first 60 parts between operators separately, so that an unreadable part does not hide the others. */
function readPieces(text: string, grammar: Grammar): readonly TreeReading[] {
  const joined = text.replaceAll("\\\n", "");
  const pieces = joined.split(/[;&|\n`()]|\$\(/).filter((piece) => piece.trim() !== "" && piece !== text);
  return pieces.slice(0, maxPieces).flatMap((piece) => readByGrammar(piece, grammar) ?? []);
}

/** Returns the calls of a text that the grammar could not read; none if the text is not plain. */
function plainCalls({ plain }: Sources): readonly Words[] {
  return plain.unclear === undefined ? wordsOf(plain.calls) : [];
}

const surroundingName = anyOf(
  wordsPattern(
    "^",
    `IFS ENV PS4 PROMPT_COMMAND EXECIGNORE GLOBIGNORE CC CXX LD AR RUSTC
    BASH_.* LD_.* DYLD_.* GIT_.* npm_config_.*`,
    "$",
    "i",
  ),
  wordsPattern(
    "",
    `PATH DIR ROOT PREFIX HOME OPTIONS OPTS OPT FLAGS EDITOR PAGER VISUAL BROWSER COMMAND CMD SHELL WRAPPER PROGRAM
    CONFIG LOADER PRELOAD HELPER ASKPASS STARTUP FILES LIB`,
    "$",
    "i",
  ),
);

/** Returns true for a variable that names a file for other programs, or that decides what they run. */
function setsSurroundings({ name, value, exported }: Assignment): boolean {
  return surroundingName.test(name) || (exported && /[/$`~]/.test(value));
}

/** Returns true if a builtin such as `read` may set such a variable: its name is among the words or the values. */
function mayAssign(calls: readonly Words[], values: Words): boolean {
  const rows = calls.map((words) => ({ words, ...exactProgram(words[0] ?? "") }));
  const setting = rows.filter(({ builtin, silent }) => builtin === "changes" && silent !== true);
  const words = setting.length === 0 ? [] : [...setting.flatMap((one) => one.words), ...values];
  return words.some((word) => word.match(/[A-Z]\w*/g)?.some((name) => surroundingName.test(name)) === true);
}

const repositoryName =
  /\bGIT_(?:DIR|WORK_TREE|COMMON_DIR|NAMESPACE|CONFIG\w*|OBJECT_DIRECTORY|ALTERNATE\w*)\+?=/;

function namesRepository({ text, tree }: Sources, readings: readonly TreeReading[], words: Words): boolean {
  const assigned = readings.flatMap((one) => one.assigned.map(({ name }) => `${name}=`));
  return [...words, ...assigned, ...(tree === undefined ? [text] : [])].some((one) =>
    repositoryName.test(one),
  );
}

function doubles({ doubling, calls }: TreeReading): boolean {
  return doubling.some((name) => calls.filter((words) => words[0] === name).length > 2);
}

function deceptiveIn({ text, plain }: Sources): string | undefined {
  const isPlain = plain.unclear === undefined;
  const names = isPlain ? (plain.calls ?? []).map(({ words }) => words[0]) : [/^\s*(\S*)/.exec(text)?.[1]];
  return deception([text], names);
}

/** Returns the reason why a text or the name of a program may deceive; undefined if there is none. */
function deception(texts: Words, names: readonly (string | undefined)[]): string | undefined {
  for (const text of texts) {
    const unseen = unseenCharacter(text);
    if (unseen !== undefined) return `it contains ${unseen}, which cannot be seen`;
  }
  for (const name of names) {
    const foreign = foreignLetter(name ?? "");
    if (foreign !== undefined) {
      return `the program's name "${name}" contains ${foreign}, which is not an ASCII character`;
    }
  }
  return undefined;
}

function unclearOf({ text, plain, tree }: Sources, grammar: Grammar): string | undefined {
  if (!grammar.ok) {
    return `the grammar that reads commands could not be loaded (${grammar.problem}); install the program again`;
  }
  if (text.length > maxCertainLength) return `it has more than ${maxCertainLength} characters`;
  if (plain.unclear !== undefined) return plain.unclear;
  if (tree === undefined) {
    return "it has too many parts, or could not be read in the time that is given for it";
  }
  const calls = wordsOf(plain.calls);
  return tree.special ?? builtinsProblem(calls) ?? disagreement(calls, tree.calls);
}

/** Returns the calls of a command that is clear but for its patterns and redirections, if both readers agree about them. */
function nearlyClear(
  { text, plain: { calls, files }, tree }: Sources,
  deceptive: string | undefined,
): Pick<CommandReading, "patterned" | "nearlyClear"> {
  const isRead = calls !== undefined && tree !== undefined && tree.special === undefined;
  if (!isRead || deceptive !== undefined || text.length > maxCertainLength) return {};
  const words = wordsOf(calls);
  if (builtinsProblem(words) !== undefined) return {};
  const agrees = (found: readonly Words[]) => disagreement(words, found) === undefined;
  const patterned = files.length === 0 && agrees(tree.calls);
  return {
    ...(patterned ? { patterned: calls } : {}),
    ...(agrees(tree.whole) ? { nearlyClear: { calls, files } } : {}),
  };
}

/** Returns the reason why calls in a clear command make it unclear; undefined if there is none. */
export function problemOf(calls: readonly Words[]): string | undefined {
  const names = calls.map(([name]) => name);
  return deception(calls.flat(), names) ?? builtinsProblem(calls);
}

function wordsOf(calls: readonly PlainCall[] = []): readonly Words[] {
  return calls.map(({ words }) => words);
}

const reserved =
  /^(?:%.*|!|\[\[|\]\]|[{}]|case|coproc|do|done|elif|else|esac|fi|for|function|if|in|select|then|time|until|while)$/s;

/** Returns the reason why a builtin or reserved word makes the whole command unclear; undefined if none does. */
function builtinsProblem(calls: readonly Words[]): string | undefined {
  for (const [name = "", ...args] of calls) {
    if (reserved.test(name)) return `"${name}" belongs to the shell's own syntax`;
    const builtin = exactProgram(name)?.builtin;
    const problem =
      builtin === "changes"
        ? `"${name}" changes how the shell reads or runs what follows`
        : typeof builtin === "function"
          ? builtin(args)
          : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function disagreement(plain: readonly Words[], calls: readonly Words[]): string | undefined {
  const same = JSON.stringify(plain) === JSON.stringify(calls);
  return same ? undefined : "it can be read in more than one way";
}

function distinct(calls: readonly Words[]): readonly Words[] {
  const named = calls.filter((words) => words.length > 0);
  return [...new Map(named.map((words) => [JSON.stringify(words), words])).values()];
}
