/** Calls behind wrappers and inside unclear commands: found for deny and ask, never for allow. */
import { readGitCall } from "./git-call.ts";
import type { Grammar } from "./grammar.ts";
import { type CommandReading, readCommand } from "./read-command.ts";
import { baseName, isShell, lookThrough } from "./wrappers.ts";

const deepest = 6;
const mostCalls = 400;

export interface HiddenCalls {
  /** With the calls of an unclear command itself; a program given by its path also by its name alone, git also without options before its command. */
  readonly calls: readonly (readonly string[])[];
  /** Files that redirections in commands given as text write to. */
  readonly writesTo: readonly string[];
  readonly readsFrom: readonly string[];
  /** True when a shell, or xargs, runs what it reads: nothing of it needs to stand in the command. */
  readonly fromInput: boolean;
  /** True when there was more to look through than is looked through. */
  readonly endless: boolean;
}

export function hiddenCalls(reading: CommandReading, grammar: Grammar): HiddenCalls {
  const seen = new Map<string, readonly string[]>();
  const visible = new Set((reading.calls ?? []).map((call) => JSON.stringify(call.words)));
  const writesTo = new Set<string>();
  const readsFrom = new Set<string>();
  const state = { endless: false };
  const add = (words: readonly string[], depth: number): void => {
    const key = JSON.stringify(words);
    if (words.length === 0 || seen.has(key)) {
      return;
    }
    if (depth > deepest || seen.size >= mostCalls) {
      state.endless = true;
      return;
    }
    seen.set(key, words);
    const name = words[0] ?? "";
    if (baseName(name) !== name) {
      add([baseName(name), ...words.slice(1)], depth + 1);
    }
    if (name === "git") {
      const { command, args } = readGitCall(words);
      if (command !== "") {
        add([name, ...args], depth + 1);
      }
    }
    for (const wrapped of lookThrough(words)) {
      if (wrapped.kind === "call") {
        add(wrapped.words, depth + 1);
      } else {
        addText(wrapped.text, depth + 1);
      }
    }
  };
  const addText = (text: string, depth: number): void => {
    const inner = readCommand(text, grammar);
    for (const file of inner.writesTo) {
      writesTo.add(file);
    }
    for (const file of inner.readsFrom) {
      readsFrom.add(file);
    }
    for (const call of inner.found) {
      add(call, depth);
    }
  };
  for (const words of reading.found) {
    add(words, 0);
  }
  for (const { words } of reading.calls ?? []) {
    add(words, 0);
  }
  const fromInput = [...seen.values()].some(runsInput);
  if (fromInput) {
    const printed = [...seen.values()].filter(([name]) => name === "echo" || name === "printf");
    for (const text of [...reading.inputs, ...printed.map((words) => words.slice(1).join(" "))]) {
      addText(text, 1);
    }
  }
  const calls = [...seen].filter(([key]) => !visible.has(key)).map(([, words]) => words);
  return { calls, writesTo: [...writesTo], readsFrom: [...readsFrom], endless: state.endless, fromInput };
}

/** A shell without a script, or a program whose name xargs puts in. */
function runsInput([name = "", ...args]: readonly string[]): boolean {
  if (name === "{}") return true;
  if (!isShell(baseName(name)) || args.some((word) => /^-\w*c|^--version$/.test(word))) return false;
  return (
    args.includes("-s") ||
    args.some((word) => /^\/dev\/(?:stdin|fd\/)/.test(word)) ||
    args.every((word) => /^[-+]/.test(word))
  );
}
