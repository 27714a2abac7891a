/** Files that options name, by which a program is told what it runs: `-f other.mk`, `--config=x.js`. */

const named =
  /^(?:-f|-c|-r|-jar|-exec|-toolexec|--file|--config|--config-file|--makefile|--rcfile|--require|--import|--loader|--experimental-loader|--preload|--init-file|--manifest-path|--project|--settings|--conftest|--justfile|--taskfile|--build-file|--env-file|--env-file-if-exists|--experimental-config-file)(?:=(.+))?$/s;
const attached = /^-[fr](.+)$/s;

/** Letters of their options may stand behind others, and long ones be cut short. */
const gnuPrograms = /^(?:g?make|[gm]?awk|g?sed)$/;
const clustered = /^-[a-zA-Z]*?f(.+)?$/s;
const shortened = /^--(?:fi|ma|inc|ex)[a-z]*(?:=(.+))?$/s;

/** Names by which a program opens its own input. */
export const inputFile = /^\/dev\/(?:stdin|fd\/)|^\/proc\/(?:.*\/)?fd\//;

export function optionFiles(name: string, args: readonly string[]): readonly string[] {
  return valuesIn(name, args).filter((value) => !value.startsWith("-"));
}

/** `make -f -`: what it runs comes from its input. */
export function ordersFromInput(name: string, args: readonly string[]): boolean {
  return (
    gnuPrograms.test(name) && valuesIn(name, args).some((value) => value === "-" || inputFile.test(value))
  );
}

function valuesIn(name: string, args: readonly string[]): readonly string[] {
  const patterns = gnuPrograms.test(name) ? [named, clustered, shortened] : [named];
  return args.flatMap((word, index) => {
    const values = patterns.flatMap((pattern) => {
      const found = pattern.exec(word);
      return found === null ? [] : [found[1] ?? args[index + 1]];
    });
    return [...values, attached.exec(word)?.[1]].filter((value) => value !== undefined);
  });
}
