/** Commands that stand as text in a program that a call gives, such as `awk 'BEGIN{system("rm x")}'`: for rules that deny or ask. */
import { isInterpreter } from "./executed-files.ts";
import type { Grammar } from "./grammar.ts";
import { readCommand } from "./read-command.ts";
import { baseName } from "./wrappers.ts";

const mostTexts = 40;
const longestText = 1_000;

const editors =
  /^(?:vi|vim|nvim|view|ex|ed|less|more|gdb|lldb|expect|make|gmake|socat|nc|ncat|ssh|scp|sftp|tmux|screen)$/;
const literal = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/gs;
/** After these, what follows in a word is a command. */
const spoken = /^(?:[+:]*!|(?:shell|spawn|pipe) |\w+(?:command)?=|\w+:(?=\S)|-[a-z]$)(.+)$/is;
/** `e` of sed, alone and behind a replacement. */
const ofSed = /(?:^|[;}\d$/])e (.+)$|^s(\W).*?\2(.*)\2\w*e\w*$/s;

/** Every string of a program, and what editors and the like are told to run. */
export function callsInPrograms(
  calls: readonly (readonly string[])[],
  grammar: Grammar,
): readonly (readonly string[])[] {
  const texts = calls.flatMap(textsOf).filter((text) => text !== "" && text.length <= longestText);
  return [...new Set(texts)].slice(0, mostTexts).flatMap((text) => readCommand(text, grammar).found);
}

function textsOf([program = "", ...args]: readonly string[]): readonly string[] {
  const name = baseName(program);
  if (editors.test(name)) {
    return args.flatMap((word) => [/\s/.test(word) ? word : "", spoken.exec(word)?.[1] ?? ""]);
  }
  if (!isInterpreter(name)) return [];
  const ofScript = /^g?sed$/.test(name) ? args.flatMap((word) => ofSed.exec(word)?.slice(1) ?? []) : [];
  const strings = args.flatMap((word) => word.slice(0, 8 * longestText).match(literal) ?? []);
  return [...ofScript.filter((text) => text !== undefined), ...strings.map((text) => text.slice(1, -1))];
}
