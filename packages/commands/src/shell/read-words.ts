/** Finds the words of calls that may name files to read, and parts of words that may, as in `--x=FILE`. */
import { secretName } from "@localharness/workspace/paths/secret-name";
import { type GitReach, pathOfRevision } from "./git-reach.ts";
import { looksOnly } from "./looks-only.ts";
import type { Words } from "./programs/program.ts";
import { programOf } from "./programs/table.ts";
import { otherwise, spellings } from "./spellings.ts";

export interface ReadWord {
  readonly word: string;
  /** True if all files below the path may be read, if it is a folder. */
  readonly whole: boolean;
  /** True if the contents of the file may be printed. A secret then needs a question. */
  readonly contents: boolean;
  /** True if the path counts even if the file does not exist, because the file may be in a commit. */
  readonly always?: true;
}

export function readWords(calls: readonly Words[], readsFrom: readonly string[]): readonly ReadWord[] {
  const words = new Map<string, ReadWord>();
  const add = (read: ReadWord) => {
    if (read.word === "" || read.word.length >= 4096 || read.word.includes("\0")) return;
    const known = words.get(read.word);
    words.set(read.word, {
      ...read,
      whole: read.whole || known?.whole === true,
      contents: read.contents || known?.contents === true,
      ...(read.always === true || known?.always === true ? { always: true } : {}),
    });
  };
  for (const word of readsFrom) add({ word, whole: false, contents: true });
  for (const call of calls) for (const read of readByCall(call)) add(read);
  return [...words.values()];
}

/** Returns the words of a call that may name files to read. */
function readByCall(call: readonly string[]): readonly ReadWord[] {
  const look = looksOnly(call);
  const { builtin, changesFolder, reaches, silent, writes } = programOf(call[0] ?? "");
  const reach = reaches?.(call.slice(1));
  const whole = look === undefined ? builtin === undefined || changesFolder === undefined : look.recursive;
  const given = look?.recursive === true && look.paths.length === 0 ? ["."] : call.slice(1);
  const ofGit = reach === undefined ? [] : gitWords(call, reach);
  const printsNothing = silent === true || silent?.test(call[1] ?? "") === true;
  const target = writes === "last" && given.length > 1 ? given.at(-1) : undefined;
  const words = given.flatMap((word) => {
    const contents =
      look === undefined
        ? !printsNothing && word !== target
        : (look.paths.includes(word) && look.silent !== true) ||
          ofGit.length > 0 ||
          reach?.kind === "everything";
    return (look === undefined ? spellings(word) : plainly(word)).map((one) => ({
      word: one,
      whole,
      contents,
    }));
  });
  return [...words, ...wordsOfName(call[0] ?? ""), ...ofGit, ...filesInProgram(call)];
}

/** Returns the files in the name of a program: in `{cat,FILE}` and `cat$IFS"FILE"` one word has the program and the file. */
function wordsOfName(name: string): readonly ReadWord[] {
  const parts = /[{}$]/.test(name) ? name.split(/[{},]|\$IFS|\$\{IFS[^}]*\}/) : [];
  return parts.slice(1).map((word) => ({ word, whole: false, contents: true }));
}

/** Returns the files that a word may name in a call that only reads; none for an option, because known options name none. */
function plainly(word: string): readonly string[] {
  return word.startsWith("-") ? [] : [word, ...otherwise(word)];
}

function gitWords(call: readonly string[], reach: GitReach): readonly ReadWord[] {
  const named = reach.kind === "named" ? reach.paths : [];
  const ofRevisions = call
    .slice(1)
    .flatMap((word) => pathOfRevision(word) ?? /^-L.*:(.+)$/s.exec(word)?.slice(1) ?? []);
  return [...named, ...ofRevisions].map((word) => ({ word, whole: true, contents: true, always: true }));
}

/** Returns the words in the program texts of a call; each may name a file. Returns none if the program is no interpreter. */
export function wordsOfProgram([program = "", ...args]: readonly string[]): readonly string[] {
  const { interprets } = programOf(program);
  if (interprets === undefined) return [];
  const letters = interprets === "letters";
  const texts = args.filter((text) => letters || /[\s"'`()]/.test(text));
  const words = texts.flatMap((text) => text.slice(0, 4096).split(/[\s"'`()<>;,=|&{}[\]]+/));
  // The command `w.npmrc` of sed writes the file `.npmrc`.
  return letters ? words.flatMap((word) => [word, word.replace(/^.*?[rRwW](?=[.\w])/s, "")]) : words;
}

/** Returns the words of a program text that look like file names. */
function filesInProgram(call: readonly string[]): readonly ReadWord[] {
  return wordsOfProgram(call)
    .filter((word) => /[\w-][./]|^\.\w/.test(word))
    .map((word) => ({ word, whole: false, contents: secretName(word) !== undefined }));
}
