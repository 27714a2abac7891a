/** Declares what a command gets from the command line. */
import type { Options } from "../config/options.ts";

type FlagValue = string | number | true;

/** The options that commands of this folder read in addition to `Options`. */
type CommandOption = "workspace" | "json" | "here" | "all" | "format";

export type CommandFlags = Options & { readonly [name in CommandOption]?: FlagValue };

export interface CommandLine {
  /** The words after the name of the command. */
  readonly positionals: readonly string[];
  readonly flags: CommandFlags;
}

/** Returns the value of a text option; undefined if the option was not given, or was given without a value. */
export function textFlag(flags: CommandFlags, name: CommandOption): string | undefined {
  const value = flags[name];
  return typeof value === "string" ? value : undefined;
}
