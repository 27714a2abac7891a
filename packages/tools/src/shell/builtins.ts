/** What the shell does itself: which of its own commands leave the meaning of everything after them as it was. */

export const reservedWords: ReadonlySet<string> = new Set(
  "! [[ ]] { } case coproc do done elif else esac fi for function if in select then time until while".split(
    " ",
  ),
);

/** Every other command of bash itself changes how later words are read, or runs text; POSIX shells have no others. */
const builtins: ReadonlySet<string> = new Set(
  `. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable
  eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read
  readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset
  wait`.split(/\s+/),
);

const harmless: ReadonlySet<string> = new Set(": echo false kill printf pwd test true type".split(" "));

export function isBuiltin(name: string): boolean {
  return builtins.has(name);
}

/** Why a call of the shell's own command makes the whole line unclear; undefined for other programs. */
export function builtinProblem(name: string, args: readonly string[]): string | undefined {
  if (!builtins.has(name)) {
    return undefined;
  }
  if (!harmless.has(name)) {
    return `"${name}" changes how the shell reads or runs what follows`;
  }
  if (
    name === "printf" &&
    (args[0]?.startsWith("-") === true || args.some((text) => countsInto.test(text)))
  ) {
    return "printf sets a variable";
  }
  // The name of a variable may hold a subscript, which is computed and can run commands.
  if (name === "test" && args.some((word) => word === "-v" || word === "-R")) {
    return "test looks at a variable";
  }
  return undefined;
}

/** `%n` writes a number into the variable that the argument names. */
const countsInto = /%[^%a-mo-zA-Z]*n/;
