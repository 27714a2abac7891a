/** Files that options name, by which a program is told what it runs: `-f other.mk`, `--config=x.js`. */

const named =
  /^(?:-f|-c|-r|-jar|-exec|-toolexec|--file|--config|--config-file|--makefile|--rcfile|--require|--import|--loader|--experimental-loader|--preload|--init-file|--manifest-path|--project|--settings|--conftest|--justfile|--taskfile|--build-file|--env-file|--env-file-if-exists|--experimental-config-file)(?:=(.+))?$/s;
const attached = /^-[fr](.+)$/s;

/** Of programs with the options of GNU: letters behind others, and long options cut short. */
const clustered = /^-[a-zA-Z]*?f(.+)?$/s;
const shortened = /^--(?:fi|ma|inc|ex)[a-z]*(?:=(.+))?$/s;

/** Names by which a program opens its own input. */
export const inputFile = /^\/dev\/(?:stdin|fd\/)|^\/proc\/(?:.*\/)?fd\//;

/** Returns the files that options name. `gnu`: letters may stand behind others, and long options be cut short. */
export function optionFiles(args: readonly string[], gnu: boolean): readonly string[] {
  return valuesIn(args, gnu).filter((value) => !value.startsWith("-"));
}

/** True for `make -f -`: what it runs comes from its input. */
export function ordersFromInput(args: readonly string[]): boolean {
  return valuesIn(args, true).some((value) => value === "-" || inputFile.test(value));
}

function valuesIn(args: readonly string[], gnu: boolean): readonly string[] {
  const patterns = gnu ? [named, clustered, shortened] : [named];
  return args.flatMap((word, index) => {
    const values = patterns.flatMap((pattern) => {
      const found = pattern.exec(word);
      return found === null ? [] : [found[1] ?? args[index + 1]];
    });
    return [...values, attached.exec(word)?.[1]].filter((value) => value !== undefined);
  });
}
