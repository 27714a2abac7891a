/** Splits a call of git into the options before the command, the command, and the words after it. */

export interface GitCall {
  /** The values of `-C` in order; each is relative to the one before it. */
  readonly folders: readonly string[];
  /** True if options name a repository or parts of it, such as `--git-dir`. */
  readonly named: boolean;
  /** The command of git; empty if the call has none. */
  readonly command: string;
  /** The command and the words after it. */
  readonly args: readonly string[];
}

/** Reads a call of git. `args` are the words after the program's name. */
export function readGitCall(args: readonly string[]): GitCall {
  const folders: string[] = [];
  let named = false;
  let index = 0;
  for (; index < args.length; index += 1) {
    const word = args[index] ?? "";
    if (word === "-C") {
      index += 1;
      folders.push(args[index] ?? "");
    } else if (/^--(?:git-dir|work-tree|namespace|super-prefix)(?:=|$)/.test(word)) {
      named = true;
      index += word.includes("=") ? 0 : 1;
    } else if (/^(?:-c|--config-env|--exec-path)$/.test(word)) {
      index += 1;
    } else if (!word.startsWith("-")) {
      break;
    }
  }
  return { folders, named, command: args[index] ?? "", args: args.slice(index) };
}
