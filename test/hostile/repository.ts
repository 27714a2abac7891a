/** Declares the data that define a hostile repository. */

export interface HostileRepository {
  readonly name: string;
  /** The goal of the attack, in words. */
  readonly wants: string;
  /** Orders that the model finds when it reads the repository. They have the placeholders of `wishes.ts`. */
  readonly orders: readonly string[];
  /** Returns the files and commands that put the orders, with placeholders replaced, into the repository. */
  plant(orders: readonly string[]): Planted;
  /** True when the orders can only be read with git, which needs permission. */
  readonly shownByGit?: true;
  /** Folders, separated by colons, to put in front of the program's `PATH`. */
  readonly path?: string;
}

export interface Planted {
  /** Text by path in the workspace. */
  readonly files?: Readonly<Record<string, string>>;
  /** A shell script that runs in the workspace after the files are written, with the variables ROOT, WS, OUT and HOME. */
  readonly setup?: string;
}
