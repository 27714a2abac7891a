/** Finds calls that wrappers start, and calls inside unclear commands. Only rules that deny or ask apply to them. */
import type { Grammar } from "./grammar.ts";
import { inputFile } from "./option-files.ts";
import type { Words } from "./programs/program.ts";
import { baseName, programOf } from "./programs/table.ts";
import { type CommandReading, readCommand } from "./read-command.ts";
import { lookThrough } from "./starts.ts";

const maxDepth = 6;
const maxCalls = 400;
/** The maximum number of marks such as `{}` (`xargs` has only one). A call with more counts as running its input. */
const maxMarks = 4;

export interface HiddenCalls {
  /** The calls that wrappers start, and all calls of an unclear command. A call such as `/bin/rm x` is also listed as `rm x`. */
  readonly calls: readonly Words[];
  /** The files to which redirections write in commands that are given as text. */
  readonly writesTo: readonly string[];
  /** The files of `writesTo` whose content a redirection removes. */
  readonly truncates: readonly string[];
  /** The files from which redirections read in commands that are given as text. */
  readonly readsFrom: readonly string[];
  /** True if a shell or `xargs` runs its input, which the command does not name. */
  readonly fromInput: boolean;
  /** True if a limit was reached, so that there may be more calls. */
  readonly endless: boolean;
  /** True if a command given as text sets variables that change how programs run, or has an unreadable part. */
  readonly unsteady: boolean;
}

export function hiddenCalls(reading: CommandReading, grammar: Grammar): HiddenCalls {
  const seen = new Map<string, readonly string[]>();
  const visible = new Set((reading.calls ?? []).map((call) => JSON.stringify(call.words)));
  const writesTo = new Set<string>();
  const truncates = new Set<string>();
  const readsFrom = new Set<string>();
  const state = { endless: false, unsteady: false };
  const add = (words: readonly string[], depth: number): void => {
    const key = JSON.stringify(words);
    if (words.length === 0 || seen.has(key)) return;
    if (depth > maxDepth || seen.size >= maxCalls) {
      state.endless = true;
      return;
    }
    seen.set(key, words);
    const name = words[0] ?? "";
    if (baseName(name) !== name) add([baseName(name), ...words.slice(1)], depth + 1);
    for (const wrapped of lookThrough(words)) {
      if (wrapped.kind === "call") add(wrapped.words, depth + 1);
      else addText(wrapped.text, depth + 1);
    }
  };
  const addText = (text: string, depth: number): void => {
    const inner = readCommand(text, grammar);
    state.unsteady ||= inner.torn || inner.surroundings;
    for (const file of inner.writesTo) writesTo.add(file);
    for (const file of inner.truncates) truncates.add(file);
    for (const file of inner.readsFrom) readsFrom.add(file);
    for (const call of inner.found) add(call, depth);
  };
  for (const words of reading.found) add(words, 0);
  for (const { words } of reading.calls ?? []) add(words, 0);
  const fromInput = [...seen.values()].some(runsInput);
  if (fromInput) {
    const printed = [...seen.values()].filter(([name = ""]) => programOf(name).prints === true);
    for (const text of [...reading.inputs, ...printed.map((words) => words.slice(1).join(" "))])
      addText(text, 1);
  }
  const calls = [...seen].filter(([key]) => !visible.has(key)).map(([, words]) => words);
  return {
    calls,
    writesTo: [...writesTo],
    truncates: [...truncates],
    readsFrom: [...readsFrom],
    ...state,
    fromInput,
  };
}

/** Returns true if a call runs its input: a shell without a script, a program `{}`, or a call that `fillsIn` finds. */
function runsInput(words: readonly string[]): boolean {
  const [name = "", ...args] = words;
  if (name === "{}" || fillsIn(words)) return true;
  const isShell = programOf(name).interprets === "shell";
  if (!isShell || args.some((word) => /^-\w*c|^--version$/.test(word))) return false;
  return (
    args.some((word) => word === "-s" || inputFile.test(word)) || args.every((word) => /^[-+]/.test(word))
  );
}

/** Returns true if `xargs` or `parallel` makes its input the name of a program, or a part of the text for a shell. */
function fillsIn(words: readonly string[]): boolean {
  const { feeds } = programOf(words[0] ?? "");
  const sources = lookThrough(words).map((one) => (one.kind === "text" ? one.text : ""));
  if (feeds === "sources") return sources.every((text) => /^::::\+?(?: |$)/.test(text));
  if (feeds === undefined) return false;
  const { marks, rest } = placeholders(words);
  const started = lookThrough(rest);
  if (marks.size > maxMarks) return true;
  return [...marks].some((mark) => started.some((one) => one.kind === "call" && runsMark(one.words, mark)));
}

/** Returns true if the mark is in the name of the program or in the text for a shell, even inside wrappers. */
function runsMark(words: readonly string[], mark: string, depth = 0): boolean {
  if (words[0]?.includes(mark) === true) return true;
  return lookThrough(words).some((one) =>
    one.kind === "text" ? one.text.includes(mark) : depth < maxDepth && runsMark(one.words, mark, depth + 1),
  );
}

/** Returns the marks that `xargs` replaces, and as `rest` the call without `-I%`, `-i` and `--replace=%`, which set them. */
function placeholders(words: readonly string[]) {
  const marks = new Set<string>();
  const rest = words.filter((word, index) => {
    const [, option = "", value = ""] = /^(-[a-zA-Z0-9]*?[Ii]|--replace)=?(.*)$/s.exec(word) ?? [];
    if (option === "") return true;
    const following = option.endsWith("I") ? words[index + 1] : "{}";
    marks.add(value === "" ? (following ?? "{}") : value);
    return option.endsWith("I") && value === "";
  });
  return { marks, rest };
}
