/** Finds calls that wrappers start, and calls inside unclear commands. Only rules that deny or ask apply to them. */
import type { Words } from "./programs/program.ts";
import { baseName, programOf } from "./programs/table.ts";
import type { CommandReading } from "./read-command.ts";
import type { CommandReader } from "./reader.ts";
import { interpretedBy, lookThrough } from "./starts.ts";
import { joinRedirections, type Redirections } from "./syntax-tree.ts";

const maxDepth = 6;
const maxCalls = 400;
/** The maximum number of marks such as `{}` (`xargs` has only two). A call with more counts as running its input. */
const maxMarks = 5;
/** Matches `{}`, `{1}`, `{.}`, `{=uq=}` and similar. */
const marksOfParallel = /\{(?:[-\d./+#%]*|=[^}]*=)\}/g;

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
  /** True if a command given as text may name the repository of git. */
  readonly namesRepository: boolean;
  /** True if a command given as text has a function that starts itself twice without end. */
  readonly doubles: boolean;
}

export function hiddenCalls(reading: CommandReading, reader: CommandReader): HiddenCalls {
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
    const inner = reader.read(text);
    state.unsteady ||= inner.torn || inner.surroundings;
    texts.push(inner);
    for (const call of inner.found) add(call, depth);
  };
  for (const words of reading.found) add(words, 0);
  for (const { words } of reading.calls ?? []) add(words, 0);
  const fed = [...seen.values()].filter(runsInput);
  if (fed.length > 0) {
    const printed = [...seen.values()].filter(([name = ""]) => programOf(name).prints === true);
    const given = fed.flatMap((words) => atSources(words)[1]);
    for (const text of [...reading.inputs, ...given, ...printed.map((words) => words.slice(1).join(" "))])
      addText(text, 1);
  }
  const calls = [...seen].filter(([key]) => !visible.has(key)).map(([, words]) => words);
  const some = (fact: "namesRepository" | "doubles") => texts.some((one) => one[fact]);
  const facts = { namesRepository: some("namesRepository"), doubles: some("doubles") };
  return { calls, ...joinRedirections(texts), ...state, ...facts, fromInput: fed.length > 0 };
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
  const [own] = atSources(words);
  const command = feeds === "sources" ? own.map((word) => word.replaceAll(marksOfParallel, "\0")) : words;
  const started = feeds === undefined ? [] : lookThrough(command);
  if (started.length === 0) return feeds === "sources";
  const { marks, rest } = placeholders(command);
  const fed = lookThrough(rest).map((one) => (one.kind === "text" ? one.text.split(" ") : one.words));
  return marks.size > maxMarks || [...marks].some((mark) => fed.some((one) => runsMark(one, mark)));
}

/** Returns the words of a call before `:::` or `::::`, with which `parallel` gets arguments, and the words from there on. */
function atSources(words: Words): readonly [Words, Words] {
  const at = words.findIndex((word) => /^:{3,4}\+?$/.test(word));
  return at === -1 ? [words, []] : [words.slice(0, at), words.slice(at)];
}

/** Returns true if the mark is in the name of the program or in the text for a shell, `awk` or `sed`, even inside wrappers. */
function runsMark(words: Words, mark: string, depth = 0, seen = new Set<string>()): boolean {
  const { interprets = "" } = programOf(words[0] ?? "");
  const isText = /^(?:program|letters)$/.test(interprets);
  const end = isText ? words.findIndex((word, at) => at > 0 && !word.startsWith("-")) : 0;
  if (words.slice(0, end + 1).some((word) => word.includes(mark))) return true;
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
