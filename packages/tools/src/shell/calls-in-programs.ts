/** Finds commands in program texts: `rm x` in `awk 'BEGIN{system("rm x")}'`. Only rules that deny or ask see them. */
import type { Grammar } from "./grammar.ts";
import type { Words } from "./programs/program.ts";
import { programOf } from "./programs/table.ts";
import { readCommand } from "./read-command.ts";

const maxTexts = 40;
const maxTextLength = 1_000;

const literal = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/gs;
/** Matches a word whose end is a command, and captures the command. */
const spoken = /^(?:[+:]*!|(?:shell|spawn|pipe) |\w+(?:command)?=|\w+:(?=\S)|-[a-z]$)(.+)$/is;
/** Matches a script of `sed` that runs a command, such as `e rm x` or `s/x/rm y/e`, and captures the command. */
const ofSed = /(?:^|[;}\d$/])e (.+)$|^s(\W).*?\2(.*)\2\w*e\w*$/s;

/** Returns the calls in the strings of program texts, and in words that make editors and other programs run a command. */
export function callsInPrograms(calls: readonly Words[], grammar: Grammar): readonly Words[] {
  const texts = calls.flatMap(textsOf).filter((text) => text !== "" && text.length <= maxTextLength);
  return [...new Set(texts)].slice(0, maxTexts).flatMap((text) => readCommand(text, grammar).found);
}

function textsOf([program = "", ...args]: readonly string[]): readonly string[] {
  const { interprets, speaks } = programOf(program);
  const ofWord = (word: string) => [/\s/.test(word) ? word : "", spoken.exec(word)?.[1] ?? ""];
  if (speaks === true) return args.flatMap(ofWord);
  if (interprets === undefined) return [];
  const ofScript = interprets === "letters" ? args.flatMap((word) => ofSed.exec(word)?.slice(1) ?? []) : [];
  const strings = args.flatMap((word) => word.slice(0, 8 * maxTextLength).match(literal) ?? []);
  return [...ofScript.filter((text) => text !== undefined), ...strings.map((text) => text.slice(1, -1))];
}
