/** Programs that read and write text. */
import { awkWrites, lostBySed, sedWrites } from "../losing/script-writes.ts";
import type { LookList, PlainLook, Program, ProgramRows, Words, WriteCall, WrittenWord } from "./program.ts";
import { awkLooks, jqLooks } from "./script-looks.ts";
import { asWritten, awkInPlace, inPlace } from "./written.ts";

const awk: Program = {
  looks: awkLooks,
  interprets: "program",
  gnuOptions: true,
  writes: writtenByAwk,
};
const sed: Program = { interprets: "letters", gnuOptions: true, writes: writtenBySed, loses: lostBySed };

const rg: LookList = {
  flags: "FiSsvwxclnNHIopqUu0P",
  valued: "ABCmegtTdM",
  long: `--fixed-strings --ignore-case --smart-case --case-sensitive --invert-match --word-regexp --line-regexp --count
    --count-matches --files-with-matches --files-without-match --line-number --no-line-number --with-filename
    --no-filename --only-matching --quiet --multiline --multiline-dotall --pcre2 --files --hidden --no-ignore --no-heading
    --heading --json --trim --vimgrep --column --no-config --stats --null --no-messages --passthru --type-list`,
  longValued:
    "--glob --iglob --type --type-not --max-count --max-depth --max-columns --max-filesize --after-context --before-context --context --color --sort --sortr --regexp --threads --encoding",
  operands: "pattern",
  value: /^[^/]*$|^[^-].*$/s,
  readsFolders: true,
};

const sort: LookList = {
  flags: "bcCdfghiMnrRsuVz",
  valued: "kt",
  long: "--numeric-sort --reverse --unique --human-numeric-sort --version-sort --ignore-case --stable --zero-terminated",
  longValued: "--key --field-separator",
  value: /^[\w.,]+$|^.$/s,
};

const uniq: LookList = {
  flags: "cdDiuz",
  valued: "fsw",
  maxOperands: 1,
  long: "--count --repeated --unique --ignore-case",
};

export const textTools: ProgramRows = {
  "awk gawk mawk nawk": awk,
  sed: { ...sed, looks: sedLooks },
  gsed: sed,
  rg: {
    looks: rg,
    version: "--version",
    starts: { text: "--pre --hostname-bin", optionsOnly: true },
    searches: {
      folders: /^/,
      hidden: /^(?:--hidden|-[a-zA-Z]*\.|-[a-zA-Z]*uu|--unrestricted)/,
      namesOnly: /^-[a-zA-Z]*[lcq]|^--(?:files|count|quiet|type-list)/,
    },
  },
  sort: { looks: sort, outputOption: true, starts: { text: "--compress-program", optionsOnly: true } },
  uniq: { looks: uniq, writes: "last" },
  split: {
    outputOption: true,
    starts: { text: "--filter", optionsOnly: true },
    writes: (_, { operands }) => (operands.length > 1 ? operands.slice(-1).map(asWritten) : []),
  },
  csplit: { writesBy: /^-f$/ },
  "base64 iconv pandoc shuf": { outputOption: true },
  jq: { looks: jqLooks },
  "yq shellcheck": {},
};

function writtenBySed(args: Words, call: WriteCall): readonly WrittenWord[] {
  return [...inPlace(args, call), ...sedWrites(args).map(asWritten)];
}

function writtenByAwk(args: Words, call: WriteCall): readonly WrittenWord[] {
  return [...awkInPlace(args, call), ...awkWrites(args)];
}

/** Returns the files that a call such as `sed -n 10,20p file` reads, if it only prints lines; else undefined. */
function sedLooks([option, script = "", ...files]: Words): PlainLook | undefined {
  const prints = /^(?:(?:\d+|\$)(?:,(?:\d+|\$))?p;?)+$/.test(script);
  return option === "-n" && prints && files.every((word) => !word.startsWith("-"))
    ? { paths: files, recursive: false }
    : undefined;
}
