/** Decides which facts of an unclear command are complete all the same, for the rules that deny or ask. */
import type { CommandFacts } from "@localharness/engine";
import type { Grammar } from "./grammar.ts";
import type { Words } from "./programs/program.ts";
import { knownProgram } from "./programs/table.ts";
import { type CommandReading, readCommand } from "./read-command.ts";

/** A quoted text, a redirection to or from a named file, a pattern that is a whole word, or any other character. */
const parts =
  /'[^']*'|"(?:[^"\\]|\\.)*"|((?:(?<![^\s;|&])[012])?(?:&?>>?|<)[ ]*([\w\-./:,+@%^=]+)(?![^\s;|&]))|((?<![^\s;|&])[\w\-./,+@%*?]*[*?][\w\-./,+@%*?]*(?![^\s;|&]))|[\s\S]/gs;

/**
 * Returns `calls and paths` if the command is unclear only because of redirections; `calls` if patterns are a reason too,
 * but only among the arguments of programs that run no other program. Otherwise returns undefined.
 */
export function knownParts(reading: CommandReading, grammar: Grammar): CommandFacts["known"] {
  const { text, torn, writesTo, readsFrom } = reading;
  if (torn || reading.deceptive !== undefined) return undefined;
  const mark = markFor(text);
  const files: string[] = [];
  const plain = text.replace(parts, (part: string, redirection?: string, file?: string, pattern?: string) => {
    if (redirection !== undefined) files.push(file ?? "");
    return redirection !== undefined ? " " : pattern !== undefined ? mark : part;
  });
  const { calls } = readCommand(plain, grammar);
  if (calls === undefined || plain === text) return undefined;
  if (!files.every((file) => writesTo.includes(file) || readsFrom.includes(file))) return undefined;
  if (!plain.includes(mark)) return "calls and paths";
  return calls.every(({ words }) => takesPatterns(words, mark)) ? "calls" : undefined;
}

/** Returns a word that does not occur in the text. */
function markFor(text: string): string {
  let mark = "pattern";
  while (text.includes(mark)) mark += "x";
  return mark;
}

/** Returns true if file names in place of the mark cannot make the program run another program, or if the mark is absent. */
function takesPatterns(words: Words, mark: string): boolean {
  if (!words.includes(mark)) return true;
  const row = knownProgram(words[0] ?? "");
  return row !== undefined && !running.some((field) => row[field] !== undefined) && row.builtin !== "changes";
}

/** The fields of rows whose programs may run other programs or text, obey files, or work in another folder. */
const running = [
  ...(["risk", "starts", "interprets", "speaks", "feeds", "runs", "files"] as const),
  ...(["wrapper", "reaches", "surroundings", "changesFolder"] as const),
];
