/** Declares a row in the table of protected names, and helpers that write families of names. */
import { wordsPattern } from "../../patterns.ts";

export interface ProtectedRow {
  /** The names, separated by white space, in lower case. A name with slashes matches components that follow each other. */
  readonly names: string;
  /** Matches further names, which have varying parts. */
  readonly family?: RegExp;
  /** Matches a path from a component on, for places of which several components vary. Begins with `^`. */
  readonly places?: RegExp;
  /** What happens with such a file, as a clause: `git runs its hooks`. */
  readonly reason: string;
  /**
   * `home`: programs read the names only in a home folder. In any other folder a command in the sandbox may create them.
   * `absolute`: the names begin at the root of the file system, or with `~` for the person's home folder, and count only there.
   */
  readonly place?: "home" | "absolute";
  /**
   * True for files that many projects have as ordinary content. Such a file is read like any other file, a command in the
   * sandbox may create it, and the mode `bypass` does not ask about it.
   */
  readonly common?: true;
  /**
   * True for common files that only the project's own tools load, as they load its sources. A command in the sandbox may change
   * them like sources, and they may be removed with their folder.
   */
  readonly source?: true;
}

/** Matches the endings of JavaScript and TypeScript. */
export const script = "[cm]?[jt]sx?";
/** Matches the endings of settings. */
export const data = "json[c5]?|ya?ml|toml";

/** Returns an expression for names, with or without a dot at the beginning, that have one of the endings. */
export function named(names: string, endings: string): RegExp {
  return wordsPattern("^\\.?", names, `\\.(?:${endings})$`);
}
