/** Finds commands in program texts: `rm x` in `awk 'BEGIN{system("rm x")}'`. Only rules that deny or ask see them. */
import type { Words } from "./programs/program.ts";
import { programOf } from "./programs/table.ts";
import type { CommandReader } from "./reader.ts";

const maxTexts = 40;
const maxTextLength = 1_000;
const literal = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/gs;
/** Matches a text whose end is a command, and captures the command. */
const spoken = /^(?:[+:]*!|(?:shell|spawn|pipe|\w+command) |\w+=|\w+:(?=\S))(.+)$/is;
/** Matches an option with its value in the same word, and captures the value. */
const attached = /^(?:-[a-z]|--[\w-]+=)(.+)$/is;

/** Returns the calls in strings of program texts and in words with which programs run commands. Reads at most 40 texts. */
export function callsInPrograms(calls: readonly Words[], reader: CommandReader): readonly Words[] {
  const texts = calls.flatMap(textsOf).filter((text) => text !== "" && text.length <= maxTextLength);
  return [...new Set(texts)].slice(0, maxTexts).flatMap((text) => reader.read(text).found);
}

function textsOf([program = "", ...args]: readonly string[]): readonly string[] {
  const { interprets, speaks } = programOf(program);
  const ofText = (text: string) => [/\s/.test(text) ? text : "", spoken.exec(text)?.[1] ?? ""];
  if (speaks === true) return args.flatMap((word) => [word, attached.exec(word)?.[1] ?? ""].flatMap(ofText));
  if (interprets === undefined) return [];
  const strings = args.flatMap((word) => word.slice(0, 8 * maxTextLength).match(literal) ?? []);
  const scripts = interprets === "letters" ? args.flatMap(runBySed) : [];
  return [...scripts, ...strings.map((text) => text.slice(1, -1))];
}

/** Returns the commands that a script of `sed` runs, as `e rm x` and `s/x/rm y/e` do. The word may begin with an option. */
function runBySed(word: string): readonly string[] {
  const called = /(?:^(?:-\w*e|--\w+=)?|[;}\d$/])e (.+)$/s.exec(word)?.[1] ?? "";
  const [, mark = "", rest = ""] = /^(?:-\w*?e|--\w+=)?s(\W)(.*)$/s.exec(word) ?? [];
  const end = rest.lastIndexOf(mark);
  const isRun = mark !== "" && /^(?=\w*e)\w+$/.test(rest.slice(end + 1));
  return isRun ? [called, rest.slice(rest.indexOf(mark) + 1, end)] : [called];
}
