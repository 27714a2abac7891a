/** Finds the calls, and the commands in the form of text, that a program call starts because of its words. */
import { type Interpreted, readScript, readShell } from "./interpreted.ts";
import type { Starts, Words, Wrapped } from "./programs/program.ts";
import { programOf } from "./programs/table.ts";

/** The maximum number of calls that one call may start because of its options. */
const maxStarts = 4;

/** Returns what a call starts directly. The word after an unknown option counts both as its value and as a program. */
export function lookThrough(words: readonly string[]): readonly Wrapped[] {
  const { interprets, starts } = programOf(words[0] ?? "");
  const args = words.slice(1);
  const read = interprets === "shell" ? interpretedBy(words) : undefined;
  if (read?.script !== undefined) return [];
  if (read !== undefined) return read.found.map((text) => ({ kind: "text", text }));
  if (starts === undefined) return [];
  if (typeof starts === "function") return starts(args);
  if (starts.after === undefined) return wrappedCalls(starts, args);
  const at = args.findIndex((word) => starts.after?.split(" ").includes(word));
  return at === -1 ? [] : wrappedCalls(starts, args.slice(at + 1));
}

/** Returns what the words of a shell or an interpreter of scripts say; undefined for any other program. */
export function interpretedBy([name = "", ...args]: Words): Interpreted | undefined {
  const row = programOf(name);
  if (row.interprets === "shell") return readShell(args, row.flags);
  return row.interprets === "script" ? readScript(args, row) : undefined;
}

function wrappedCalls(starts: Starts, args: readonly string[]): readonly Wrapped[] {
  const texts = optionTexts(starts.text?.split(" ") ?? [], args);
  const places = starts.optionsOnly === true ? [] : callStarts(starts, args);
  const calls = places.map((start): Wrapped => {
    const words = args.slice(start);
    return starts.joined === true ? { kind: "text", text: words.join(" ") } : { kind: "call", words };
  });
  return [...texts, ...calls];
}

function optionTexts(options: readonly string[], args: readonly string[]): readonly Wrapped[] {
  return args.flatMap((word, index): readonly Wrapped[] => {
    const option = options.find((name) => word === name || endsCluster(word, name));
    const following = args[index + 1];
    if (option !== undefined && following !== undefined) return [{ kind: "text", text: following }];
    const attached = options.find((name) => word.startsWith(name.startsWith("--") ? `${name}=` : name));
    const rest =
      attached === undefined ? "" : word.slice(attached.length + (attached.startsWith("--") ? 1 : 0));
    // In the option of a checkpoint, `tar` expects the kind of action before the command: `exec=COMMAND`.
    return rest === "" ? [] : [{ kind: "text", text: rest.replace(/^(?:exec|command)=/, "") }];
  });
}

/** Returns the indices at which the started call may begin. If there are too many, the last is the number of words. */
function callStarts(starts: Starts, args: readonly string[]): readonly number[] {
  const valued = [...(starts.valued?.split(" ") ?? []), ...(starts.text?.split(" ") ?? [])];
  const found: number[] = [];
  let toSkip = starts.skipped ?? 0;
  let index = 0;
  let doubtful = false;
  while (index < args.length) {
    const word = args[index] ?? "";
    if (word === "--" || word === "-") {
      index += 1;
    } else if (word.startsWith("-") && word.length > 1) {
      const takesNext = valued.some((name) => word === name || endsCluster(word, name));
      doubtful = !takesNext && !word.includes("=") && !isFlag(word, starts);
      index += takesNext ? 2 : 1;
    } else if (/^[A-Za-z_]\w*=/.test(word)) {
      index += 1;
    } else if (toSkip > 0) {
      toSkip -= 1;
      index += 1;
    } else {
      found.push(found.length < maxStarts ? index : args.length);
      if (!doubtful || found.length > maxStarts) break;
      doubtful = false;
      index += 1;
    }
  }
  return found;
}

/** Returns true for options without a value, and for options with their value in the same word: `-0r`, `-I%`. */
function isFlag(word: string, { flags = "", valued = "" }: Starts): boolean {
  const known = flags.split(" ");
  if (known.includes(word) || [...word.slice(1)].every((letter) => known.includes(`-${letter}`))) return true;
  return !word.startsWith("--") && valued.split(" ").includes(word.slice(0, 2));
}

/** Returns true if a word ends in the letter of an option, as `-xu` ends in the letter of `-u`. */
function endsCluster(word: string, option: string): boolean {
  return option.length === 2 && /^-[A-Za-z0-9]+$/.test(word) && word.endsWith(option[1] ?? "");
}
