/** Finds calls that wrappers start, and calls inside unclear commands. Only rules that deny or ask apply to them. */
import type { Grammar } from "./grammar.ts";
import type { Words } from "./programs/program.ts";
import { baseName, programOf } from "./programs/table.ts";
import { type CommandReading, readCommand } from "./read-command.ts";
import { interpretedBy, lookThrough } from "./starts.ts";
import { joinRedirections, type Redirections } from "./syntax-tree.ts";

const maxDepth = 6;
const maxCalls = 400;
/** The maximum number of marks such as `{}` (`xargs` has only two). A call with more counts as running its input. */
const maxMarks = 5;

/** The calls, and the redirections in commands that are given as text. */
export interface HiddenCalls extends Redirections {
  /** The calls that wrappers start, and all calls of an unclear command. A call such as `/bin/rm x` is also listed as `rm x`. */
  readonly calls: readonly Words[];
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
  const texts: CommandReading[] = [];
  const state = { endless: false, unsteady: false };
  const add = (words: readonly string[], depth: number): void => {
    const key = JSON.stringify(words);
    if (seen.has(key)) return;
    if (words.length === 0 || depth > maxDepth || seen.size >= maxCalls) {
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
    texts.push(inner);
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
  return { calls, ...joinRedirections(texts), ...state, fromInput };
}

/** Returns true if a call may run its input: a shell, a program `{}`, or a call that `fillsIn` finds. */
function runsInput(words: Words): boolean {
  const [name = ""] = words;
  const reads = programOf(name).interprets === "shell" && interpretedBy(words)?.fromInput === true;
  return name === "{}" || reads || fillsIn(words);
}

/** Returns true if `xargs` or `parallel` makes its input the name of a program, or a part of the text for a shell. */
function fillsIn(words: Words): boolean {
  const { feeds } = programOf(words[0] ?? "");
  const started = feeds === undefined ? [] : lookThrough(words);
  if (started.length === 0) return feeds === "sources";
  const { marks, rest } = placeholders(words);
  const fed = lookThrough(rest).map((one) => (one.kind === "text" ? one.text.split(" ") : one.words));
  if (marks.size > maxMarks || fed.some(([name = ""]) => /^::::\+?$/.test(name))) return true;
  return [...marks].some((mark) => fed.some((one) => runsMark(one, mark)));
}

/** Returns true if the mark is in the name of the program or in the text for a shell, even inside wrappers. */
function runsMark(words: Words, mark: string, depth = 0, seen = new Set<string>()): boolean {
  if (words[0]?.includes(mark) === true) return true;
  const key = words.join(" ");
  if (depth > maxDepth || seen.has(key)) return false;
  seen.add(key);
  return lookThrough(words).some((one) =>
    one.kind === "text" ? one.text.includes(mark) : runsMark(one.words, mark, depth + 1, seen),
  );
}

/** Returns the marks, and the call without the options that set them, such as `-I%`. NUL stands for words that are added. */
function placeholders(words: readonly string[]) {
  const marks = new Set<string>();
  const rest = words.filter((word, index) => {
    const [, option = "", value = ""] = /^(-[a-zA-Z0-9]*?[Ii]|--replace)=?(.*)$/s.exec(word) ?? [];
    if (option === "") return true;
    const following = option.endsWith("I") ? words[index + 1] : "{}";
    marks.add(value === "" ? (following ?? "{}") : value);
    return option.endsWith("I") && value === "";
  });
  return { marks: marks.add("\0"), rest: [...rest, "\0"] };
}
