/** Commands that stand as text in a program that a call gives, such as `awk 'BEGIN{system("rm x")}'`: for rules that deny or ask. */

import type { Grammar } from "./grammar.ts";
import type { Words } from "./programs/program.ts";
import { baseName, programOf } from "./programs/table.ts";
import { readCommand } from "./read-command.ts";

const mostTexts = 40;
const longestText = 1_000;

const literal = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/gs;
/** After these, what follows in a word is a command. */
const spoken = /^(?:[+:]*!|(?:shell|spawn|pipe) |\w+(?:command)?=|\w+:(?=\S)|-[a-z]$)(.+)$/is;
/** `e` of such a script, alone and behind a replacement. */
const ofSed = /(?:^|[;}\d$/])e (.+)$|^s(\W).*?\2(.*)\2\w*e\w*$/s;

/** Every string of a program, and what editors and the like are told to run. */
export function callsInPrograms(calls: readonly Words[], grammar: Grammar): readonly Words[] {
  const texts = calls.flatMap(textsOf).filter((text) => text !== "" && text.length <= longestText);
  return [...new Set(texts)].slice(0, mostTexts).flatMap((text) => readCommand(text, grammar).found);
}

function textsOf([program = "", ...args]: readonly string[]): readonly string[] {
  const { interprets, speaks } = programOf(baseName(program));
  if (speaks === true)
    return args.flatMap((word) => [/\s/.test(word) ? word : "", spoken.exec(word)?.[1] ?? ""]);
  if (interprets === undefined) return [];
  const ofScript = interprets === "letters" ? args.flatMap((word) => ofSed.exec(word)?.slice(1) ?? []) : [];
  const strings = args.flatMap((word) => word.slice(0, 8 * longestText).match(literal) ?? []);
  return [...ofScript.filter((text) => text !== undefined), ...strings.map((text) => text.slice(1, -1))];
}
