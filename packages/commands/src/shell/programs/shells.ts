/** Shells, and the builtins of bash. */
import { harms } from "./harms.ts";
import type { PlainLook, Program, ProgramRows, Words, Wrapped } from "./program.ts";
import { dottedWords, everyWord } from "./run-files.ts";
import { testLooks } from "./script-looks.ts";

const shell: Program = { interprets: "shell", flags: /^[-+][abcefhiklmnprstuvxBEHP]*o?$/ };
const bash: Program = {
  interprets: "shell",
  flags: /^[-+](?!rcfile$)[abcefhiklmnprstuvxBEHP]*[oO]*$|^--(?:norc|noprofile|posix|login|restricted)$/,
};
const changesMeaning: Program = { builtin: "changes" };
const harmlessLook: Program = { builtin: "harmless", looks: { operands: "none" } };

/** Matches a format of `printf` that only prints, with small widths and precisions, and without a dash at its beginning. */
const plainFormat = /^(?!-)(?:[^%]|%[-+ 0#]*\d{0,3}(?:\.\d{1,3})?[sdiuxXocbqeEfgG%])*$/s;

export const shells: ProgramRows = {
  "sh rbash": bash,
  "zsh dash ksh rksh mksh lksh oksh ash posh yash csh tcsh": shell,
  "fish elvish xonsh": { interprets: "shell" },
  bash: { ...bash, version: "--version" },
  nu: { interprets: "shell", runs: dottedWords },
  "bg bind break caller compgen complete compopt continue declare dirs disown enable exit export fc fg getopts hash help history jobs let local logout mapfile popd read readarray readonly return set shift shopt suspend times typeset ulimit umask unalias unset wait":
    changesMeaning,
  "cd pushd": { ...changesMeaning, silent: true, changesFolder: cdFolder },
  alias: { ...changesMeaning, renames: true, starts: aliasTexts },
  trap: { ...changesMeaning, starts: trapTexts },
  eval: { ...changesMeaning, surroundings: true, starts: { joined: true } },
  exec: { ...changesMeaning, surroundings: true, starts: { valued: "-a" } },
  "builtin command": { ...changesMeaning, surroundings: true, starts: {} },
  "source .": { ...changesMeaning, risk: "others", surroundings: true, runs: everyWord },
  "[": { ...changesMeaning, silent: true },
  "[[": { silent: true },
  coproc: { starts: { apart: true } },
  "true false": harmlessLook,
  pwd: { builtin: "harmless", looks: { flags: "LP", operands: "none" } },
  ":": { builtin: "harmless", looks: { operands: "text" } },
  type: { builtin: "harmless", looks: { flags: "aptP", operands: "text" } },
  echo: { builtin: "harmless", prints: true, looks: anyWords },
  printf: {
    builtin: printfSets,
    prints: true,
    looks: (args) => (plainFormat.test(args[0] ?? "") ? anyWords() : undefined),
  },
  test: { builtin: testLooksAt, looks: testLooks, silent: true },
  kill: { builtin: "harmless", harm: harms.endsAll },
};

/** Matches `%n`, which writes a number into the variable that an argument names. */
const countsInto = /%[^%a-mo-zA-Z]*n/;

function printfSets(args: Words): string | undefined {
  const sets = args[0]?.startsWith("-") === true || args.some((text) => countsInto.test(text));
  return sets ? "printf sets a variable" : undefined;
}

/** Returns why a call of `test` is unclear: it reads a variable (`-v`, `-R`), and bash runs commands in a subscript. */
function testLooksAt(args: Words): string | undefined {
  return args.some((word) => word === "-v" || word === "-R") ? "test looks at a variable" : undefined;
}

function anyWords(): PlainLook {
  return { paths: [], recursive: false };
}

function cdFolder(args: Words): string {
  return args.find((word) => !/^-[LPe@]?$/.test(word) && word !== "--") ?? "";
}

function aliasTexts(args: Words): readonly Wrapped[] {
  return args.flatMap((word) => /^[^=]+=(.+)$/s.exec(word)?.slice(1) ?? []).map(asText);
}

function trapTexts(args: Words): readonly Wrapped[] {
  return args
    .slice(args[0] === "--" ? 1 : 0)
    .slice(0, 1)
    .map(asText);
}

const asText = (text: string): Wrapped => ({ kind: "text", text });
