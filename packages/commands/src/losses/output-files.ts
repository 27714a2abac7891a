/** Finds the files that options of unknown programs name as their output. */
import { optionValues } from "../shell/option-files.ts";
import type { Words } from "../shell/programs/program.ts";
import { knownProgram } from "../shell/programs/table.ts";

/** Matches `--output FILE`, `--outfile=FILE`, `--report-output=FILE` and the like, which mean the same for all programs. */
const long = /^--?(?:[\w-]*[-_])?out(?:put)?(?:[-_]?(?:file|path|name))?(?:=(.+))?$/is;
/** Matches `-o FILE` and `-oFILE`, which mean something else for some programs that have a row. */
const short = /^-o(.+)?$/s;

/** Returns the words that options name as the output of the program. */
export function outputWords([name = "", ...args]: Words): Words {
  const patterns = knownProgram(name) === undefined ? [long, short] : [long];
  return patterns.flatMap((pattern) => optionValues(args, pattern)).filter((word) => !word.startsWith("-"));
}
