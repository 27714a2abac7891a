/**
 * Reads a command as bash does. A reading is certain only if two readers agree: the grammar, which accepts a list of known
 * syntax, and the small plain reader. Any other command is unclear, and no rule can allow it.
 */
import { foreignLetter, unseenCharacter } from "./characters.ts";
import type { Grammar } from "./grammar.ts";
import { type PlainCall, type PlainReading, readPlain } from "./plain-reader.ts";
import type { Words } from "./programs/program.ts";
import { exactProgram } from "./programs/table.ts";
import { type Assignment, joinRedirections, readTree, type TreeReading } from "./syntax-tree.ts";

export interface CommandReading extends Omit<TreeReading, "calls" | "assigned" | "special"> {
  readonly text: string;
  /** The calls, if the command could be read with certainty. */
  readonly calls?: readonly PlainCall[];
  /** The reason why the command could not be read with certainty; present if `calls` is absent. */
  readonly unclear?: string;
  /** The reason why the text may deceive: an invisible character, or a character in a program's name that is not ASCII. */
  readonly deceptive?: string;
  /** True if the grammar did not read the text: it is not available or too slow, or the text is too long or too complex. */
  readonly unread: boolean;
  /** Every call that was found, even in an unclear command. No rule allows a command because of this list. */
  readonly found: readonly Words[];
  /** True if an assignment in the command may decide which programs run or what they run, such as one to `PATH`. */
  readonly surroundings: boolean;
}

/** The maximum length, in UTF-16 units, of a command that is read with certainty. */
const maxCertainLength = 4096;
const maxParsedLength = 30_000;

export function readCommand(text: string, grammar: Grammar): CommandReading {
  const tree = readByGrammar(text, grammar);
  const plain = readPlainly(text);
  const deceptive = deceptiveIn(text, plain);
  const torn = tree?.torn ?? true;
  const readings = tree === undefined ? [] : [tree, ...(torn ? readPieces(text, grammar) : [])];
  const every = (of: "values" | "inputs") => [...new Set(readings.flatMap((one) => one[of]))];
  const found = distinct(tree === undefined ? plainCalls(text) : readings.flatMap(({ calls }) => calls));
  const surroundings =
    (tree?.assigned.some(setsSurroundings) ?? !plain.ok) || mayAssign(found, every("values"));
  const base = {
    ...{ text, found, unread: tree === undefined, torn, surroundings, vouched: tree?.vouched ?? [] },
    ...{ ...joinRedirections(readings), values: every("values"), inputs: every("inputs") },
    ...(deceptive === undefined ? {} : { deceptive }),
  };
  const unclear = unclearOf(plain, tree, deceptive, grammar);
  return unclear === undefined && plain.ok
    ? { ...base, calls: plain.calls }
    : { ...base, unclear: unclear ?? "" };
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
function plainCalls(text: string): readonly Words[] {
  const plain = readPlain(text);
  return plain.ok ? plain.calls.map(({ words }) => words) : [];
}

function readPlainly(text: string): PlainReading {
  return text.length > maxCertainLength
    ? { ok: false, reason: `it has more than ${maxCertainLength} characters` }
    : readPlain(text);
}

const surroundingName =
  /^(?:IFS|ENV|PS4|PROMPT_COMMAND|EXECIGNORE|GLOBIGNORE|CC|CXX|LD|AR|RUSTC|BASH_.*|LD_.*|DYLD_.*|GIT_.*|npm_config_.*|.*(?:PATH|DIR|ROOT|PREFIX|HOME|OPTIONS|OPTS|OPT|FLAGS|EDITOR|PAGER|VISUAL|BROWSER|COMMAND|CMD|SHELL|WRAPPER|PROGRAM|CONFIG|LOADER|PRELOAD|HELPER|ASKPASS|STARTUP|FILES|LIB))$/i;

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

function deceptiveIn(text: string, plain: PlainReading): string | undefined {
  const unseen = unseenCharacter(text);
  if (unseen !== undefined) return `it contains ${unseen}, which cannot be seen`;
  const names = plain.ok
    ? plain.calls.map((call) => call.words[0] ?? "")
    : [/^\s*(\S*)/.exec(text)?.[1] ?? ""];
  for (const name of names) {
    const foreign = foreignLetter(name);
    if (foreign !== undefined) {
      return `the program's name "${name}" contains ${foreign}, which is not an ASCII character`;
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
  if (deceptive !== undefined) return deceptive;
  if (!grammar.ok) {
    return `the grammar that reads commands could not be loaded (${grammar.problem}); install the program again`;
  }
  if (!plain.ok) return plain.reason;
  if (tree === undefined) {
    return "it has too many parts, or could not be read in the time that is given for it";
  }
  return tree.special ?? builtinsProblem(plain.calls) ?? disagreement(plain.calls, tree.calls);
}

const reserved =
  /^(?:%.*|!|\[\[|\]\]|[{}]|case|coproc|do|done|elif|else|esac|fi|for|function|if|in|select|then|time|until|while)$/s;

/** Returns the reason why a builtin or reserved word makes the whole command unclear; undefined if none does. */
function builtinsProblem(calls: readonly PlainCall[]): string | undefined {
  for (const { words } of calls) {
    const [name = "", ...args] = words;
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

function disagreement(plain: readonly PlainCall[], calls: readonly Words[]): string | undefined {
  const same = JSON.stringify(plain.map(({ words }) => words)) === JSON.stringify(calls);
  return same ? undefined : "it can be read in more than one way";
}

function distinct(calls: readonly Words[]): readonly Words[] {
  const named = calls.filter((words) => words.length > 0);
  return [...new Map(named.map((words) => [JSON.stringify(words), words])).values()];
}
