/** The type of a row in the table of programs. A row says what is known beyond "it starts nothing and writes nothing". */
import type { Achievement } from "@localharness/protocol";
import type { GitReach } from "../git-reach.ts";
import type { OptionList } from "../read-options.ts";

/** Words of a call, without the program's name. */
export type Words = readonly string[];

/** By names, separated by blanks, what holds for each of them. */
export type ProgramRows = Readonly<Record<string, Program>>;

export interface Program {
  /** Why no rule may allow it with any arguments; `riskOfProgram` derives it where other fields say so. */
  readonly risk?: ProgramRisk;
  /** The shell's own command: what follows it means the same as before, may mean something else, or what its words say. */
  readonly builtin?: "harmless" | "changes" | ((args: Words) => string | undefined);
  /** What it starts because its words say so. */
  readonly starts?: Starts | ((args: Words) => readonly Wrapped[]);
  /** It changes for whom or in what surroundings another program runs: an answer to it does not last. */
  readonly surroundings?: true;
  /** It adds words to a call that the command does not name: in place of a mark, or after `::::`. */
  readonly feeds?: "marks" | "sources";
  /** Prints its words, which a shell may read then. */
  readonly prints?: true;
  /** Returns the folder that it changes to, empty when that cannot be told; undefined when it stays. */
  readonly changesFolder?: (args: Words) => string | undefined;
  /** The words with which it only looks. */
  readonly looks?: LookList | ((args: Words) => Look | undefined);
  /** Options of which each prints the version, when it is the only word. */
  readonly version?: string;
  /** What its words give it to run: a shell's text, a script file, program text first, or text in which letters name files. */
  readonly interprets?: "shell" | "script" | "program" | "letters";
  /** Words of its call may be commands: `+!rm`, `EXEC:rm`, `-o ProxyCommand=rm`. */
  readonly speaks?: true;
  /** Returns what it runs by name, besides what every program may run. */
  readonly runs?: (args: Words) => readonly ExecutedFile[];
  /** Files that it runs or obeys when they are there, separated by blanks. */
  readonly files?: string;
  /** A script of the project that is known by its name: `./gradlew`. */
  readonly wrapper?: true;
  /** Options by which it takes its orders from another folder, besides those that many programs have. */
  readonly otherFolder?: RegExp;
  /** Letters of its options may follow others, and long options may be shortened. */
  readonly gnuOptions?: true;
  /** Options to ask about: those that are listed, or all but those. */
  readonly asksOptions?: { readonly risky: RegExp } | { readonly allBut: RegExp };
  /** The operands that it writes: all, all with what is below them, or the last. */
  readonly writes?:
    | "operands"
    | "below"
    | "last"
    | ((args: Words, call: WriteCall) => readonly WrittenWord[]);
  /** It has options such as `-o FILE` and `--output=FILE`. */
  readonly outputOption?: true;
  /** Further options with which it writes a file, for protected names. */
  readonly writesBy?: RegExp;
  /** It prints nothing of the files that it names; a pattern is for its first word. */
  readonly silent?: true | RegExp;
  /** Returns how far it reaches beyond the files that it names. For git. */
  readonly reaches?: (args: Words) => GitReach;
  /** Returns why a call is a disaster that nobody wants. */
  readonly harm?: (args: Words) => string | undefined;
  /** What a call has achieved that ended well, when its words fit. */
  readonly achieves?: { readonly kind: Achievement["kind"]; readonly words: RegExp };
}

export type ProgramRisk = "interpreter" | "others" | "project" | "repository";

export type Wrapped =
  | { readonly kind: "call"; readonly words: Words }
  | { readonly kind: "text"; readonly text: string };

/** Options are written as they stand on the command line; a letter also counts at the end of a cluster. */
export interface Starts {
  /** Options whose value is the next word. */
  readonly valued?: string;
  /** Options without a value. After one that is not known, the next word may be its value. */
  readonly flags?: string;
  /** Words before the call that are neither options nor assignments, such as the duration of `timeout`. */
  readonly skipped?: number;
  /** Options whose value is a command as text. */
  readonly text?: string;
  /** The words of the call are joined and read by a shell. */
  readonly joined?: true;
  /** It starts what its options say, and never its other words. */
  readonly optionsOnly?: true;
  /** Words after which the call begins, such as `exec`; without one of them nothing is started. */
  readonly after?: string;
  /** Its exit code says nothing of the other program's. */
  readonly apart?: true;
}

export interface Look {
  /** Words that name files or folders that are read. */
  readonly paths: Words;
  /** True when all below the folders is read too. */
  readonly recursive: boolean;
  /** True for a program that must not get folders: it would follow links in them. */
  readonly filesOnly?: true;
}

export interface LookList extends OptionList {
  /** What operands are. Default `paths`. `none`: none is allowed; `text`: anything; `pattern`: the first is not a path. */
  readonly operands?: "paths" | "none" | "text" | "pattern" | RegExp;
  readonly maxOperands?: number;
  /** Options that make it read whole folders. */
  readonly recursive?: string;
  /** Reads the contents of whole folders without any option. */
  readonly readsFolders?: true;
  readonly filesOnly?: true;
}

/**
 * What a call executes. `script`: `name`, when that is a file; a folder of that name would be run by its contents.
 * `resolved`: where there is no such file, others of similar names are tried. `installed`: a program that packages bring
 * along, `node_modules/.bin/NAME`, here or in a folder above. `executable`: no more than a name, unless that file can be
 * executed. `package-scripts`: of the nearest `package.json` upwards the scripts and what changes how they run; `package`:
 * all of it. `elsewhere`: what lies in folders or in other packages, and cannot be compared.
 */
export type ExecutedFile =
  | {
      readonly kind: "script" | "resolved" | "installed" | "file" | "makefile" | "executable";
      readonly name: string;
    }
  | { readonly kind: "elsewhere" | "package" | "package-scripts" };

export interface WrittenWord {
  readonly word: string;
  /** With everything below it. */
  readonly below: boolean;
}

/** What is known of a call's words before a row says which of them are written. */
export interface WriteCall {
  readonly operands: Words;
  /** Values of options that name an output. */
  readonly named: Words;
}
