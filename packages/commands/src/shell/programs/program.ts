/** Declares a row in the table of programs, and parts of many rows. A program with an empty row starts and writes nothing. */
import type { Achievement } from "@localharness/protocol";
import type { GitReach } from "../git-reach.ts";
import type { OptionList } from "../read-options.ts";

/** The words of a call. The functions of a row get them without the program's name. */
export type Words = readonly string[];

/** The rows of programs by their names. A row may have several names, separated by blanks. */
export type ProgramRows = Readonly<Record<string, Program>>;

/** The row of a program: the answers to each question about it. */
export interface Program extends Looks, StartsOthers, RunsFiles, WritesFiles, UsesNetwork {
  /** The reason why no rule may allow every call of the program. `riskOfProgram` derives some reasons from other fields. */
  readonly risk?: ProgramRisk;
  /** The achievement of a call whose words match, if its exit code is 0. */
  readonly achieves?: { readonly kind: Achievement["kind"]; readonly words: RegExp };
}

/** What a program reads and shows. */
interface Looks {
  /** The words with which the program only reads. */
  readonly looks?: LookList | ((args: Words) => PlainLook | undefined);
  /** For a program that prints lines of the files that it searches: how it searches whole folders. */
  readonly searches?: Searches;
  /** The options that print the version if they are the only word, separated by blanks. */
  readonly version?: string;
  /** True if the program prints no contents of its files. With a pattern, this holds only for calls whose first word matches. */
  readonly silent?: true | RegExp;
  /** Only for git: returns the files whose contents a call may print. */
  readonly reaches?: (args: Words) => GitReach;
  /** True if the program prints its words, which a shell may then read as input. */
  readonly prints?: true;
}

/** Which calls a program starts, and how it finds them. */
interface StartsOthers {
  /**
   * Only for a builtin of bash. `changes` means that it changes how bash reads or runs the text after it. A function returns
   * the reason why a call makes the command unclear.
   */
  readonly builtin?: "harmless" | "changes" | ((args: Words) => string | undefined);
  /** The calls that the program starts, which are among its words. */
  readonly starts?: Starts | ((args: Words) => readonly Wrapped[]);
  /** True if the program runs others as another user, in another environment or in the shell: no answer is remembered. */
  readonly surroundings?: true;
  /** How the program adds words to a call: in place of a mark such as `{}`, or from files after `::::` (`sources`). */
  readonly feeds?: "marks" | "sources";
  /** True if words such as `x=rm` give programs other names. */
  readonly renames?: true;
  /** True if the words of the program may contain commands: `+!rm`, `EXEC:rm`, `-o ProxyCommand=rm`. */
  readonly speaks?: true;
  /** Returns the folder to which the program changes; `""` for an unknown folder; undefined if it stays in its folder. */
  readonly changesFolder?: (args: Words) => string | undefined;
}

/** Which texts and files a program runs. */
interface RunsFiles {
  /** What the program runs: shell text, a script file, its first word (`program`), or one-letter commands (`sed`). */
  readonly interprets?: "shell" | "script" | "program" | "letters";
  /** For an interpreter of scripts: matches an option up to its value if that is a script, a text or a module to run. */
  readonly inline?: RegExp;
  /** For an interpreter of scripts: matches its options without a value; for a shell its options. */
  readonly flags?: RegExp;
  /** For an interpreter of scripts: matches a word before the script that is no option, such as `run`. */
  readonly verb?: RegExp;
  /** Returns the files that the program runs, in addition to the files that every program may run. */
  readonly runs?: (args: Words) => readonly ExecutedFile[];
  /** The files that the program runs or obeys if they exist, separated by blanks. */
  readonly files?: string;
  /** True for a script of the project with a known name: `./gradlew`. */
  readonly wrapper?: true;
  /** Matches options with which the program reads instructions in another folder, in addition to the options of many programs. */
  readonly otherFolder?: RegExp;
  /** True if several options of the program may share a dash, and its long options may be shortened. */
  readonly gnuOptions?: true;
  /** Matches the options to ask about (`risky`), or the options that need no question (`allBut`). */
  readonly asksOptions?: { readonly risky: RegExp } | { readonly allBut: RegExp };
}

/** Which files a program writes, and what may be lost by it. */
interface WritesFiles {
  /** The operands that the program writes: all, all with the files below them, or the last. */
  readonly writes?:
    | "operands"
    | "below"
    | "last"
    | ((args: Words, call: WriteCall) => readonly WrittenWord[]);
  /** True if the program only puts files into a folder that is the last operand, and leaves its other files alone. */
  readonly entersFolder?: true;
  /** True if the program has options such as `-o FILE` and `--output=FILE`. */
  readonly outputOption?: true;
  /** Matches more options with which the program writes a file. Of their values only protected names are used. */
  readonly writesBy?: RegExp;
  /** True if the call keeps the content of the files that it writes, as a change of their mode does. */
  readonly keeps?: true | ((args: Words) => boolean);
  /**
   * Returns what a call may lose although no word names it, in words that follow the program's name; undefined if nothing.
   * `holds` returns true if a word may name a file, or a folder with files.
   */
  readonly loses?: (args: Words, holds: (word: string) => boolean) => Lost | string | undefined;
  /** Returns the reason to refuse a call, whatever was allowed; undefined if there is none. `harms.ts` has the reasons. */
  readonly harm?: (args: Words) => string | undefined;
}

/** Which hosts a program reaches, and how it behaves without them. */
interface UsesNetwork {
  /** The effects on other machines, in words for the person, each with a pattern for the words that cause it. */
  readonly network?: readonly (readonly [words: RegExp, effect: string])[];
  /** The hosts that the program reaches unless its words name others, separated by blanks. */
  readonly hosts?: string;
  /**
   * The folders and files of downloaded packages that the program writes when it has the network, separated by blanks. Each begins
   * with the home folder (`~/`), and has nothing that a program runs by itself.
   */
  readonly caches?: string;
  /**
   * The variable that names the cache of the program, and a pattern for the words of calls that write it. Such a call gets a cache of
   * the session if it has a network but may not write `caches`, because the program fails without one.
   */
  readonly ownCache?: { readonly variable: string; readonly words: RegExp };
  /**
   * The variables with which the program gives up at once without network. Caches and servers of the same command stay usable. A
   * number of retries does not count the first try.
   */
  readonly offline?: Readonly<Record<string, string>>;
  /**
   * The variables for a command whose hosts the person is asked about: the program uses the proxy, waits for the answer, and reaches
   * no host but for its task. The command's time limit holds all the same.
   */
  readonly asked?: Readonly<Record<string, string>>;
}

/** What a call may lose, and where all of it is. */
export interface Lost {
  readonly why: string;
  /** In the folders and files of these words, as git lists them if it is called with these words, or as patches name them. */
  readonly where:
    | { readonly by: "words" | "listed"; readonly words: Words }
    | { readonly by: "patches"; readonly source: PatchSource };
}

/** The patches of a call: files, or its input. */
export type PatchSource = { readonly files: Words } | "input";

export type ProgramRisk = "interpreter" | "others" | "project" | "repository";

/** A call or text that a program starts. A call without words stands for more calls than are looked at. */
export type Wrapped =
  | { readonly kind: "call"; readonly words: Words }
  | { readonly kind: "text"; readonly text: string };

/** How a program's words start another call. Options are separated by blanks and have dashes; `-u` also counts in `-xu`. */
export interface Starts {
  /** The options whose value is the next word. */
  readonly valued?: string;
  /** The options without a value. After an unknown option, the next word may be its value. */
  readonly flags?: string;
  /** The number of words before the call that are neither options nor assignments, such as the duration of `timeout`. */
  readonly skipped?: number;
  /** The options whose value is a command as text. */
  readonly text?: string;
  /** True if a shell reads the words of the call, joined. */
  readonly joined?: true;
  /** True if the program starts only commands in its options, and never its other words. */
  readonly optionsOnly?: true;
  /** The words after which the call begins, such as `exec`. If none of them is present, no call is started. */
  readonly after?: string;
  /** True if the exit code of the program does not depend on the exit code of the started program. */
  readonly apart?: true;
}

export interface PlainLook {
  /** The words that name files or folders that are read. */
  readonly paths: Words;
  /** True if all files below the folders are read. */
  readonly recursive: boolean;
  /** True for a program that must not get folders, because it would follow links in them. */
  readonly filesOnly?: true;
  /** True if the call prints nothing of the files, not even of secrets. */
  readonly silent?: true;
}

export interface Searches {
  /** Matches the words, joined, with which the program searches all files below a folder. */
  readonly folders: RegExp;
  /** Matches the words with which hidden files are searched too; absent if they always are. */
  readonly hidden?: RegExp;
  /** Matches the options with which only names or numbers are printed. */
  readonly namesOnly: RegExp;
}

export interface LookList extends OptionList {
  /**
   * The kind of operands, `paths` by default. `none` allows no operands, `text` allows any. With `pattern`, the first operand
   * is not a path. A regular expression must match each operand.
   */
  readonly operands?: "paths" | "none" | "text" | "pattern" | RegExp;
  readonly maxOperands?: number;
  /** The options with which the program reads whole folders. */
  readonly recursive?: string;
  /** True if the program reads whole folders without an option. */
  readonly readsFolders?: true;
  readonly filesOnly?: true;
}

/**
 * A file that a call executes, by its kind:
 * - `script`: the file `name`, which must not be a folder.
 * - `resolved`: the file `name`, or a file with a similar name if `name` does not exist.
 * - `installed`: a program of packages, such as `node_modules/.bin/NAME`, in this folder or a folder above it.
 * - `file`: the file `name`, without the files that it loads.
 * - `makefile`: the file `name`, with the files that it includes.
 * - `executable`: the file `name` if it can be executed.
 * - `loader`: a program, with the files that its text loads.
 * - `modules`: the modules of Python in the folder `name`.
 * - `named`: a file that a word names. The call may run it or not.
 * - `package-scripts`: the scripts of the nearest `package.json` upwards, and the fields that change how they run.
 * - `package`: the whole `package.json`.
 * - `elsewhere`: unknown files, which cannot be compared.
 */
export type ExecutedFile =
  | {
      readonly kind:
        | ("script" | "resolved" | "installed" | "file" | "makefile" | "executable")
        | ("loader" | "modules" | "named");
      readonly name: string;
    }
  | { readonly kind: "elsewhere" | "package" | "package-scripts" };

export interface WrittenWord {
  readonly word: string;
  /** True if all files below the path are written. */
  readonly below: boolean;
  /** True if the content of the file stays. */
  readonly keeps?: boolean;
  /** True if a folder at the path stays, and only gets files that other words name. */
  readonly entered?: boolean;
}

/** The words of a call, for a row that finds the written files among them. */
export interface WriteCall {
  readonly operands: Words;
  /** The values of options that name an output. */
  readonly named: Words;
}

/** The effects of package managers of languages. */
export const downloads = [
  [/^(?:\S+ )?(?:search|index versions|owner|login|yank)(?: |$)/, "looks up packages"],
  [
    /^(?!.*--(?:offline|no-index))(?:.* )?(?:install|add|sync|update|upgrade|download|fetch|get|publish|upload|push)(?: |$)/,
    "downloads or publishes packages",
  ],
] as const;

/** The fields of programs that run tests if a word says so: `make test`, `node --test`. */
export const tests: Program = {
  achieves: { kind: "tests-passed", words: /^(?:-\S+ )*(?:--)?(?:test|check|verify)(?: |$)/ },
};

export const anyTests: Program = { achieves: { kind: "tests-passed", words: /^/ } };
