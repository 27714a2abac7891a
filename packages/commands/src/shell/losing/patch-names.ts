/** Finds the files that a patch may change. */
import { optionValues } from "../option-files.ts";
import type { PatchSource, Words } from "../programs/program.ts";
import { readOptions } from "../read-options.ts";

const value = /^(?!-).*$/s;
const ofPatch = {
  flags: "ENRflstu",
  valued: "Fip",
  long: "--batch --force --forward --ignore-whitespace --quiet --reverse --silent --no-backup-if-mismatch --unified",
  longValued: "--fuzz --input --strip",
  value,
};
const ofApply = {
  flags: "Rqv",
  valued: "Cp",
  long: "--ignore-space-change --ignore-whitespace --index --quiet --recount --reverse --unidiff-zero --verbose",
  longValued: "--whitespace",
  value,
};

/** Returns where a call of `patch` reads its patch; undefined if its options may mean other files. */
export function sourceOfPatch(args: Words): PatchSource | undefined {
  const operands = readOptions(args, ofPatch)?.operands;
  if (operands === undefined || operands.length > 2) return undefined;
  const named = optionValues(args, /^(?:-[ENRflstu]*i|--input|--input=(.+)|-[ENRflstu]*i(.+))$/s);
  return filesOrInput([...named, ...operands.slice(1)]);
}

/** Returns where a call of `git apply` reads its patches; undefined if its options may mean other files. */
export function sourceOfApply(args: Words): PatchSource | undefined {
  const operands = readOptions(args, ofApply)?.operands;
  return operands && filesOrInput(operands);
}

function filesOrInput(files: Words): PatchSource | undefined {
  if (files.length === 0) return "input";
  return files.every((word) => word === "-") ? "input" : files.includes("-") ? undefined : { files };
}

/**
 * Matches a line that names files. A patch may be indented, also by `X`, or be in a message with `- ` before its lines. Only after
 * `Index:` a name needs no blank before it.
 */
const header =
  /^(?:[ \tX]|- )*(?:(---|\+\+\+|\*\*\*|diff --git|(?:rename|copy) (?:from|to))[ \t]+|Index:[ \t]*)(.+)$/s;
const maxNames = 2_000;
/** The maximum length of a line that names files: two paths and the time take no more. */
const maxLine = 9_000;

/**
 * Returns every path that a program may take from the patch, however many of the first folders of a name it leaves out; undefined if
 * a name is quoted, or if they are too many or too long.
 */
export function namesInPatch(text: string): Words | undefined {
  const names = new Set<string>();
  for (const line of new Set(text.split("\n"))) {
    const [, word, rest] = header.exec(line) ?? [];
    if (rest === undefined) continue;
    if (rest.length > maxLine || rest.startsWith('"') || / "/.test(rest)) return undefined;
    for (const name of candidates(rest, word === "diff --git")) {
      for (const path of endings(name)) names.add(path);
    }
    if (names.size > maxNames) return undefined;
  }
  // What `patch` cannot apply, and the content before an unsure change, goes to files of these names.
  return [...names].flatMap((name) => [name, `${name}.orig`, `${name}.rej`]);
}

const blanks = /[ \t\r\v\f]+/;

/** Returns all texts that may be a name: the time after it is apart by a tab or a blank, and a blank may also be in the name. */
function candidates(rest: string, isPair: boolean): Words {
  const line = rest.replace(/\r$/, "");
  const untimed = [...line.matchAll(/[ \t](?=\d)/g)].map(({ index }) => line.slice(0, index).trimEnd());
  // The two names of a pair are the same, and may have blanks too.
  const seconds = isPair ? [...line.matchAll(/ /g)].map(({ index }) => line.slice(index + 1)) : [];
  return [rest, line, line.replace(/\t.*$/s, ""), ...untimed, ...seconds, ...rest.split(blanks)];
}

/** Returns `a/b/c`, `b/c` and `c`. */
function endings(name: string): Words {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  return parts.map((_, at) => parts.slice(at).join("/"));
}
