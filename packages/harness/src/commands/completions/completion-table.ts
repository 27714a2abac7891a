/** Declares what a shell can complete: the commands of a program, their options and the values of both. */

export interface CompletionTable {
  readonly program: string;
  /** The commands. The first one is the default: the command line calls it without a name. */
  readonly commands: readonly CompletionCommand[];
}

export interface CompletionCommand {
  readonly name: string;
  readonly summary: string;
  /** The words that may follow the name. */
  readonly verbs: readonly string[];
  /**
   * The kind of path that the next words name: the words after the verb, or, if there are no verbs, the words after the
   * command.
   */
  readonly paths?: PathKind;
  /** For some of the verbs: the keys that may follow, and the values that may follow each key. */
  readonly keyed?: { readonly verbs: readonly string[]; readonly keys: readonly CompletionKey[] };
  readonly flags: readonly CompletionFlag[];
}

export interface CompletionKey {
  readonly name: string;
  readonly values: readonly string[];
}

export interface CompletionFlag {
  readonly name: string;
  readonly short?: string;
  readonly help: string;
  /** False for a switch, and for an option whose value may be left out. */
  readonly takesValue: boolean;
  /** The values to complete; empty if the value may be any text. */
  readonly values: readonly string[];
  readonly paths?: PathKind;
}

export type PathKind = "files" | "folders";

/** Returns the spellings of an option on the command line. */
export function spellings({ name, short }: CompletionFlag): readonly string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
}

/** Returns the text in single quotes for a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** An option in one command. In another command the same option may take other values. */
export interface FlagUse {
  readonly command: CompletionCommand;
  readonly flag: CompletionFlag;
}

/** Returns each option that takes a value, once for every command that has the option. */
export function valueFlags({ commands }: CompletionTable): readonly FlagUse[] {
  return commands.flatMap((command) =>
    command.flags.filter(({ takesValue }) => takesValue).map((flag) => ({ command, flag })),
  );
}
