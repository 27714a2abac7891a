/** Finds the files that scripts of `sed` and `awk` write. */
import type { Words, WrittenWord } from "../programs/program.ts";

/** Returns the files that `w` writes in the scripts of a call of `sed`. */
export function sedWrites(args: Words): Words {
  const scripts = args.flatMap((word, at) => {
    const [, attached] = /^(?:-[nErszui]*e|--expression=?)(.*)$/s.exec(word) ?? [];
    return attached === undefined ? [] : [attached === "" ? (args[at + 1] ?? "") : attached];
  });
  const first = args.find((word) => !word.startsWith("-"));
  const isNamed = scripts.length > 0 || readsScript(args);
  return (isNamed ? scripts : [first ?? ""]).flatMap(writtenByScript);
}

/** Returns what `sed` may lose if its script is in a file; undefined if it is not, or with `--sandbox`. */
export function lostBySed(args: Words): string | undefined {
  return readsScript(args) ? "writes files that its script names" : undefined;
}

function readsScript(args: Words): boolean {
  return args.some((word) => /^-[nErszu]*f|^--file/.test(word)) && !args.includes("--sandbox");
}

const flags = "[gpiIeMm0-9]*";
/** Matches one command of a script with its addresses. The groups are the files that `s///w` and `w` write. */
const commands = new RegExp(
  [
    String.raw`#[^\n]*`,
    // An address, or signs between commands.
    String.raw`\/(?:\\.|[^\\/])*\/[IM]*`,
    String.raw`\\([^\n])(?:\\.|(?!\1)[^\\])*\1[IM]*`,
    String.raw`[\d$,+~!;{}\s]+`,
    String.raw`s([^\n\\])(?:\\.|(?!\2)[^\\])*\2(?:\\.|(?!\2)[^\\])*\2${flags}(?:w[ \t]*([^\n]+))?`,
    String.raw`y([^\n\\])(?:\\.|(?!\4)[^\\])*\4(?:\\.|(?!\4)[^\\])*\4`,
    String.raw`[wW][ \t]*([^\n]+)`,
    String.raw`[aic](?:\\\n|[^\n])*`,
    String.raw`[rR:][^\n]*`,
    String.raw`[btT][^\n;}]*`,
    "[a-zA-Z=]",
  ].join("|"),
  "ys",
);
const maxScript = 4096;

function writtenByScript(script: string): Words {
  const text = script.slice(0, maxScript);
  const files: string[] = [];
  commands.lastIndex = 0;
  for (let found = commands.exec(text); found !== null; found = commands.exec(text)) {
    const file = found[3] ?? found[5];
    if (file !== undefined) files.push(file);
  }
  return files;
}

/** Returns the files that a program of `awk` writes: `print > "out"`. With `>>` the content of the file stays. */
export function awkWrites(args: Words): readonly WrittenWord[] {
  return args.flatMap((text) =>
    [...text.slice(0, maxScript).matchAll(/(?<!>)>(>?)\s*"([^"\\]+)"/g)].map(([, appends, word = ""]) => ({
      word,
      below: false,
      keeps: appends !== "",
    })),
  );
}
