/** Finds out if a text of the shell runs files whose names are known only when it runs. */
import { executedFiles, runsComputed, runsInput } from "./executed-files.ts";
import type { HiddenCalls } from "./hidden-calls.ts";
import { looksOnly } from "./looks-only.ts";
import { inputFile, optionFiles } from "./option-files.ts";
import type { Words } from "./programs/program.ts";
import { knownProgram, programOf } from "./programs/table.ts";
import type { CommandReading } from "./read-command.ts";
import { interpretedBy, lookThrough } from "./starts.ts";
import { writtenWords } from "./written-words.ts";

const computed = /[$`*?{]|\[.|<\(/;

/**
 * Returns true if the text loads a file by a computed name, runs its input or a computed program, sets where programs are found,
 * or cannot be read.
 */
export function runsComputedFiles(
  reading: CommandReading,
  hidden: HiddenCalls,
  calls: readonly Words[],
): boolean {
  if (reading.unread || reading.torn || reading.surroundings) return true;
  if (hidden.fromInput || hidden.unsteady || hidden.endless || calls.some(isComputedRun)) return true;
  return runsWhatItWrites([...reading.writesTo, ...hidden.writesTo], calls);
}

/** Returns true if the text runs a file that it has written before, so that its content comes from elsewhere. */
function runsWhatItWrites(redirected: Words, calls: readonly Words[]): boolean {
  // What a compiler writes counts as its sources do.
  const writing = calls.filter(([name = ""]) => programOf(name).writes !== undefined);
  const words = [...redirected, ...writing.flatMap((call) => writtenWords(call).map(({ word }) => word))];
  const written = new Set(words.map(plainName));
  const executed = calls.flatMap((call) => executedFiles(call, false));
  return executed.some(
    (file) =>
      "name" in file &&
      /^(?:script|resolved|loader|makefile)$/.test(file.kind) &&
      written.has(plainName(file.name)),
  );
}

function plainName(word: string): string {
  return word.replace(/^(?:\.\/+)+/, "");
}

function isComputedRun(words: Words): boolean {
  const [name = "", ...args] = words;
  const row = programOf(name);
  if (/[$`*?{]|.\[/.test(name)) return true;
  if (knownProgram(name) === undefined) return args.some((_, at) => startsShell(args.slice(at)));
  if (row.changesFolder !== undefined) return /[$`*?{]/.test(row.changesFolder(args) ?? "");
  if (/^(?:\.|source|eval)$/.test(name)) return args.some(isUnknown);
  if (row.feeds !== undefined) return feedsInterpreter(words);
  if (row.interprets === "program" || row.interprets === "letters") return runsInput(words);
  if (row.interprets !== undefined) {
    const fromInput = interpretedBy(words)?.fromInput === true && looksOnly(words) === undefined;
    // The arguments of the script itself are words of the command, and so is the file that they name.
    return fromInput || runsComputed(words.filter((word) => !/^\$(?:[@*]|\{[@*]\})$/.test(word)));
  }
  const isObeyed = knownProgram(name) !== undefined && (row.files ?? row.runs) !== undefined;
  return isObeyed && namesByOption(args, row.gnuOptions === true).some((word) => computed.test(word));
}

/** Returns true if the words are the call of a shell that runs a computed script, for programs that are not in the table. */
function startsShell(words: Words): boolean {
  return programOf(words[0] ?? "").interprets === "shell" && isComputedRun(words);
}

function isUnknown(word: string): boolean {
  return computed.test(word) || inputFile.test(word);
}

/** Returns the files and folders that options name, for a program that obeys such files: `make -C X`. */
function namesByOption(args: Words, gnu: boolean): Words {
  const folders = args.flatMap((word, index) =>
    /^(?:-C|--(?:directory|cwd|prefix|project|manifest-path))$/.test(word)
      ? [args[index + 1] ?? ""]
      : (/^(?:-C|--(?:directory|cwd|prefix|project|manifest-path)=)(.+)$/s.exec(word)?.slice(1) ?? []),
  );
  return [...optionFiles(args, gnu), ...folders];
}

/** Returns true if `xargs` or `parallel` makes its input the script of an interpreter, or a part of it. */
function feedsInterpreter(words: Words): boolean {
  const marks = words.flatMap((word, at) => {
    const [, value] = /^-[a-zA-Z0-9]*I(.*)$/s.exec(word) ?? [];
    return value === undefined ? [] : [value === "" ? (words[at + 1] ?? "{}") : value];
  });
  return lookThrough(words).some((one) => {
    if (one.kind === "text") return false;
    const read = interpretedBy(one.words);
    if (read === undefined) return false;
    return read.fromInput || [...marks, "{}"].some((mark) => read.script?.includes(mark) === true);
  });
}
