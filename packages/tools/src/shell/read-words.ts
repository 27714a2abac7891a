/** Which words of calls may name what is read, in all the ways in which programs are told of a file. */
import { secretName } from "../workspace/secret-name.ts";
import { isInterpreter } from "./executed-files.ts";
import { gitReach, pathOfRevision } from "./git-reach.ts";
import { looksOnly } from "./read-only-programs.ts";
import { baseName } from "./wrappers.ts";
import { lastOperand } from "./written-words.ts";

export interface ReadWord {
  readonly word: string;
  /** Of a folder, everything below it. */
  readonly whole: boolean;
  /** True when its contents may come out; a secret is asked about then. */
  readonly contents: boolean;
  /** True for what counts also when it is not there: a file of a commit. */
  readonly always?: true;
}

/** They change or name files, and print nothing of them. */
const printsNothing: ReadonlySet<string> = new Set(
  "cd pushd ls stat test [ [[ touch mkdir rmdir rm unlink shred truncate chmod chown chgrp tee find".split(
    " ",
  ),
);
const gitPrintsNothing = /^(?:add|rm|commit|check-ignore|checkout|restore|reset|stash|update-index|clean)$/;

export function readWords(
  calls: readonly (readonly string[])[],
  readsFrom: readonly string[],
): readonly ReadWord[] {
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

/** What looks at a folder without options reads its names only. */
function readByCall(call: readonly string[]): readonly ReadWord[] {
  const look = looksOnly(call);
  const name = baseName(call[0] ?? "");
  const whole = look === undefined ? name !== "cd" : look.recursive;
  const given = look?.recursive === true && look.paths.length === 0 ? ["."] : call.slice(1);
  const ofGit = name === "git" ? gitWords(call) : [];
  const printsAll = name === "git" && gitReach(call).kind === "everything";
  const silent = printsNothing.has(name) || (name === "git" && gitPrintsNothing.test(call[1] ?? ""));
  const target = lastOperand.has(name) && given.length > 1 ? given.at(-1) : undefined;
  const words = given.flatMap((word) => {
    const contents =
      look === undefined
        ? !silent && word !== target
        : look.paths.includes(word) || ofGit.length > 0 || printsAll;
    return (look === undefined ? spellings(word) : plainly(word)).map((one) => ({
      word: one,
      whole,
      contents,
    }));
  });
  return [...words, ...wordsOfName(call[0] ?? ""), ...ofGit, ...filesInProgram(call)];
}

/** `{cat,FILE}` and `cat$IFS"FILE"` are a program and its file in one word. */
function wordsOfName(name: string): readonly ReadWord[] {
  const parts = /[{$]/.test(name) ? name.split(/[{},]|\$IFS|\$\{IFS[^}]*\}/) : [];
  return parts.slice(1).map((word) => ({ word, whole: false, contents: true }));
}

/** Options of programs that only look are known, and name no files. */
function plainly(word: string): readonly string[] {
  return word.startsWith("-") ? [] : [word, ...otherwise(word)];
}

/** The word, and what a program may take for a file in it: `--x=FILE`, `-xFILE`, `@FILE`, `FILE:there`. */
function spellings(word: string): readonly string[] {
  const found = word.startsWith("-") ? attached(word) : [word];
  const more = found.flatMap((one) => [
    ...(/^[^=]*=(.+)$/s.exec(one)?.slice(1) ?? []),
    ...(/^(?:[\w.-]*=)?[@<](.+?)(?:[;,].*)?$/s.exec(one)?.slice(1) ?? []),
    ...otherwise(one),
    ...(/^file:\/\/(\/.+)$/s.exec(one)?.slice(1) ?? []),
    ...(one.includes(":") && !one.includes("://") ? one.split(":", 3) : []),
  ]);
  return [...found, ...more].filter((one) => !one.startsWith("-"));
}

/** `FILE` of `${X:-FILE}`. */
export function otherwise(word: string): readonly string[] {
  return /\$\{\w+:?[-=+]([^}]*)\}/s.exec(word)?.slice(1) ?? [];
}

/** A cluster of letters, the last of which may have its value attached. */
function attached(word: string): readonly string[] {
  if (word.startsWith("--")) return /^--[^=]+=(.+)$/s.exec(word)?.slice(1) ?? [];
  return [2, 3, 4, 5].map((start) => word.slice(start)).filter((rest) => rest !== "");
}

function gitWords(call: readonly string[]): readonly ReadWord[] {
  const reach = gitReach(call);
  const named = reach.kind === "named" ? reach.paths : [];
  const ofRevisions = call
    .slice(1)
    .flatMap((word) => pathOfRevision(word) ?? /^-L.*:(.+)$/s.exec(word)?.slice(1) ?? []);
  return [...named, ...ofRevisions].map((word) => ({ word, whole: true, contents: true, always: true }));
}

/** The words in programs that a call gives as text: any of them may be a file. */
export function wordsOfProgram([program = "", ...args]: readonly string[]): readonly string[] {
  const name = baseName(program);
  if (!isInterpreter(name)) return [];
  const sed = /^g?sed$/.test(name);
  const texts = args.filter((text) => sed || /[\s"'`()]/.test(text));
  const words = texts.flatMap((text) => text.slice(0, 4096).split(/[\s"'`()<>;,=|&{}[\]]+/));
  // `w.npmrc` of sed writes `.npmrc`.
  return sed ? words.flatMap((word) => [word, word.replace(/^.*?[rRwW](?=[.\w])/s, "")]) : words;
}

/** What they name that looks like a file. */
function filesInProgram(call: readonly string[]): readonly ReadWord[] {
  return wordsOfProgram(call)
    .filter((word) => /[\w-][./]|^\.\w/.test(word))
    .map((word) => ({ word, whole: false, contents: secretName(word) !== undefined }));
}
