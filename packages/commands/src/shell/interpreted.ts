/** Reads the words of an interpreter: the script or text that it runs, and whether it may run its input instead. */
import { inputFile } from "./option-files.ts";
import type { Program, Words } from "./programs/program.ts";

export interface Interpreted {
  /** The words that may name the script. If `script` is absent for a shell, the texts that it may run. */
  readonly found: Words;
  /** The script or module, if it is certain. */
  readonly script?: string;
  /** The number of words up to the end of the script or text; of all words if neither is certain. */
  readonly length: number;
  /** True unless the program certainly runs a script or text among its words. */
  readonly fromInput: boolean;
}

/** Reads the words of a shell. Each `o` and `O` in an option takes a word. Nothing is certain after an unknown option. */
export function readShell(args: Words, flags = /^-c$/): Interpreted {
  const unsure = (found: Words) => ({ found, length: args.length, fromInput: true });
  let at = 0;
  let letters = "";
  for (let word = args[0] ?? ""; /^[-+]/.test(word); word = args[at] ?? "") {
    at += 1;
    if (/^--?$/.test(word)) break;
    if (word === "--version") return { found: [], length: at, fromInput: false };
    const values = () => args.flatMap((one) => [one.replace(/^-[\w-]+=?/, ""), one.replace(/^-\w/, "")]);
    if (!flags.test(word)) return unsure(values());
    const short = word.startsWith("--") ? "" : word;
    letters += short;
    at += short.replace(/[^oO]/g, "").length;
  }
  const [found] = args.slice(at);
  if (found === undefined) return unsure([]);
  if (letters.includes("c")) return { found: [found], length: at + 1, fromInput: false };
  const fromInput = letters.includes("s") || inputFile.test(found);
  return fromInput ? unsure([]) : { found: [found], script: found, length: at + 1, fromInput };
}

const defaultInline = /^(?:-[cefE]|-ex|-jar|-File|--(?:eval|execute|file|script))(?:=|$)/;
const defaultFlags = /^--(?:watch|hot|respawn|transpile-only|vanilla|quiet|silent|no-[\w-]+)?$|^-[rC]./;
const namesScript = /^-(?:[^-]*[mfFls]|jar|File|-file|-script)$/;

/** Reads the words of an interpreter of scripts. The word after an option that is not in `flags` may be its value. */
export function readScript(args: Words, row: Pick<Program, "inline" | "flags" | "verb">): Interpreted {
  const { inline = defaultInline, flags = defaultFlags, verb } = row;
  const found: string[] = [];
  let mayBeValue = false;
  let fromInput = false;
  const asks = args.length === 1 ? /^(?:--(?:test|version|help)|-[vV])$/ : /^--test$/;
  for (const [index, word] of args.entries()) {
    if (word === "-" || inputFile.test(word)) break;
    const option = inline.exec(word)?.[0];
    const isGiven = option !== word || /^[^-]/.test(args[index + 1] ?? "");
    if (option !== undefined && isGiven) {
      const script = option === word && namesScript.test(word) ? args[index + 1] : undefined;
      const length = /^-[^-]*m$/.test(option) ? args.length : index + 2;
      return { found, length, fromInput, ...(script === undefined ? {} : { script }) };
    }
    if (asks.test(word) && !flags.test(word)) return { found, length: args.length, fromInput };
    const isOperand = !word.startsWith("-") && verb?.test(word) !== true;
    if (isOperand) found.push(word);
    if (isOperand && !mayBeValue) return { found, script: word, length: index + 1, fromInput };
    mayBeValue = word.startsWith("-") && !flags.test(word) && !word.includes("=");
    fromInput ||= mayBeValue && /^-[a-zA-Z]{0,3}i[a-zA-Z]{0,3}$|^--interactive$/.test(word);
  }
  return { found, length: args.length, fromInput: true };
}
