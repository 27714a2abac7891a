/** Finds the values of options, mostly files that decide what a program runs: `-f other.mk`, `--config=x.js`. */
import { wordsPattern } from "@localharness/workspace/patterns";

const named = wordsPattern(
  "^",
  `-f -c -r -jar -exec -toolexec --file --config --config-file --makefile --rcfile --require
    --import --loader --experimental-loader --preload --init-file --manifest-path --project
    --settings --conftest --justfile --taskfile --build-file --env-file --env-file-if-exists
    --experimental-config-file`,
  "(?:=(.+))?$",
  "s",
);
const attached = /^-[fr](.+)$/s;

/** Matches `-f` after other letters, for programs with GNU options. */
const clustered = /^-[a-zA-Z]*?f(.+)?$/s;
/** Matches long options such as `--file` and `--makefile`, also abbreviated, for programs with GNU options. */
const shortened = /^--(?:fi|ma|inc|ex)[a-z]*(?:=(.+))?$/s;

/** Matches paths that mean the standard input of the program. */
export const inputFile = /^\/dev\/(?:stdin|fd\/)|^\/proc\/(?:.*\/)?fd\//;

/** Returns the files that options name. `gnu` is true if options may share a dash and long options may be shortened. */
export function optionFiles(args: readonly string[], gnu: boolean): readonly string[] {
  return valuesIn(args, gnu).filter((value) => !value.startsWith("-"));
}

/** Returns true if the program reads its instructions from its input: `make -f -`. */
export function ordersFromInput(args: readonly string[]): boolean {
  return valuesIn(args, true).some((value) => value === "-" || inputFile.test(value));
}

function valuesIn(args: readonly string[], gnu: boolean): readonly string[] {
  const patterns = gnu ? [named, clustered, shortened, attached] : [named, attached];
  return patterns.flatMap((pattern) => optionValues(args, pattern));
}

/** Returns the values of options that match the pattern: a group of the match, or else the next word. */
export function optionValues(args: readonly string[], pattern: RegExp): readonly string[] {
  return args.flatMap((word, index) => {
    const found = pattern.exec(word);
    return found === null
      ? []
      : (found.slice(1).find((value) => value !== undefined) ?? args[index + 1] ?? []);
  });
}
