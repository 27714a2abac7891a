/** The type of a row in the table of programs, and parts of many rows. An empty row says: it starts and writes nothing. */
import type { Achievement } from "@localharness/protocol";
import type { GitReach } from "../git-reach.ts";
import type { OptionList } from "../read-options.ts";

/** Words of a call, without the program's name. */
export type Words = readonly string[];

/** The rows of programs by their names. A row may have several names, separated by blanks. */
export type ProgramRows = Readonly<Record<string, Program>>;

export interface Program {
  /** The reason why no rule may allow it with any arguments. `riskOfProgram` derives some reasons from other fields. */
  readonly risk?: ProgramRisk;
  /** For a builtin of the shell: whether it changes the meaning of what follows, or how its words decide that. */
  readonly builtin?: "harmless" | "changes" | ((args: Words) => string | undefined);
  /** The calls that it starts because its words say so. */
  readonly starts?: Starts | ((args: Words) => readonly Wrapped[]);
  /** It changes the user or the surroundings of another program: an answer to it does not last. */
  readonly surroundings?: true;
  /** It adds words to a call that the command does not name: in place of a mark, or after `::::`. */
  readonly feeds?: "marks" | "sources";
  /** It prints its words, which a shell may read as its input. */
  readonly prints?: true;
  /** Returns the folder that it changes to, empty when that is not known; undefined when it stays. */
  readonly changesFolder?: (args: Words) => string | undefined;
  /** The words with which it only looks. */
  readonly looks?: LookList | ((args: Words) => Look | undefined);
  /** Options that print the version, each as the only word. */
  readonly version?: string;
  /** It runs its words: text for a shell, a script file, program text first, or text in which letters name files. */
  readonly interprets?: "shell" | "script" | "program" | "letters";
  /** Words of its call may be commands: `+!rm`, `EXEC:rm`, `-o ProxyCommand=rm`. */
  readonly speaks?: true;
  /** Returns the files that it runs by name, beside those that every program may run. */
  readonly runs?: (args: Words) => readonly ExecutedFile[];
  /** Files that it runs or obeys if they exist, separated by blanks. */
  readonly files?: string;
  /** A script of the project that is known by its name: `./gradlew`. */
  readonly wrapper?: true;
  /** What it does on other machines, in words for the person, if its words match. */
  readonly network?: readonly (readonly [words: RegExp, effect: string])[];
  /** Options by which it takes its orders from another folder, beside those that many programs have. */
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
  /** Returns the reason why a call is a disaster that nobody wants. */
  readonly harm?: (args: Words) => string | undefined;
  /** The achievement of a call with exit code 0 whose words match. */
  readonly achieves?: { readonly kind: Achievement["kind"]; readonly words: RegExp };
}

export type ProgramRisk = "interpreter" | "others" | "project" | "repository";

export type Wrapped =
  | { readonly kind: "call"; readonly words: Words }
  | { readonly kind: "text"; readonly text: string };

/** Options are written as on the command line; a letter also counts at the end of a cluster. */
export interface Starts {
  /** Options whose value is the next word. */
  readonly valued?: string;
  /** Options without a value. After an unknown option the next word may be its value. */
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
  /** Its exit code does not tell that of the other program. */
  readonly apart?: true;
}

export interface Look {
  /** Words that name files or folders that are read. */
  readonly paths: Words;
  /** True when all files below the folders are read. */
  readonly recursive: boolean;
  /** True for a program that must not get folders: it would follow links in them. */
  readonly filesOnly?: true;
}

export interface LookList extends OptionList {
  /** The kind of operands, `paths` by default. `none`: not allowed; `text`: any; `pattern`: the first is not a path. */
  readonly operands?: "paths" | "none" | "text" | "pattern" | RegExp;
  readonly maxOperands?: number;
  /** Options that make it read whole folders. */
  readonly recursive?: string;
  /** It reads the contents of whole folders without any option. */
  readonly readsFolders?: true;
  readonly filesOnly?: true;
}

/**
 * A file that a call executes. `script`: `name`, which must not be a folder. `resolved`: if that file does not exist,
 * others of similar names are tried. `installed`: a program of packages, `node_modules/.bin/NAME`, here or in a folder
 * above. `executable`: counts only if that file can be executed. `package-scripts`: of the nearest `package.json` upwards
 * the scripts and the fields that change how they run; `package`: all of it. `elsewhere`: files that cannot be compared.
 */
export type ExecutedFile =
  | {
      readonly kind: "script" | "resolved" | "installed" | "file" | "makefile" | "executable";
      readonly name: string;
    }
  | { readonly kind: "elsewhere" | "package" | "package-scripts" };

export interface WrittenWord {
  readonly word: string;
  /** True when all files below it are written. */
  readonly below: boolean;
}

/** The words of a call, for a row that says which of them are written. */
export interface WriteCall {
  readonly operands: Words;
  /** Values of options that name an output. */
  readonly named: Words;
}

/** For package managers of languages. */
export const downloads = [
  [
    /^(?!.*--(?:offline|no-index))(?:.* )?(?:install|add|sync|update|upgrade|download|fetch|get|publish|upload|push)(?: |$)/,
    "downloads or publishes packages",
  ],
] as const;

/** For programs of which a word says that they run tests: `make test`, `node --test`. */
export const tests: Program = {
  achieves: { kind: "tests-passed", words: /^(?:-\S+ )*(?:--)?(?:test|check|verify)(?: |$)/ },
};

export const anyTests: Program = { achieves: { kind: "tests-passed", words: /^/ } };
