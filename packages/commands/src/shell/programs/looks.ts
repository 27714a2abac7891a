/** Programs that only read, as long as they get only the listed options. */
import type { LookList, Program, ProgramRows } from "./program.ts";
import { namedBy } from "./written.ts";

const numbers = /^[+-]?[\d.]+$/;
const digests: LookList = { flags: "btz", long: "--binary --text --tag --zero" };
const grep: LookList = {
  flags: "EFGPivwxcLloqsHhnbaIrTZ",
  valued: "ABCme",
  long: `--extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --invert-match
    --word-regexp --line-regexp --count --files-with-matches --files-without-match --only-matching --quiet --silent
    --no-messages --with-filename --no-filename --line-number --byte-offset --text --recursive --null --color=never
    --color=auto --color=always --color`,
  longValued: "--include --exclude --exclude-dir --max-count --after-context --before-context --binary-files",
  longOptional: "--context",
  operands: "pattern",
  recursive: "-r --recursive",
  value: /^[^/]*$|^[^-].*$/s,
};

/** Programs that print names and states of files, but no contents. */
const namesOnly: Readonly<Record<string, LookList>> = {
  ls: {
    flags: "1aAbBcCdfFgGhiklmnNopqQrRsStTuUvxXZ",
    // On some systems these options take the next word as a value, on others they do not.
    optional: "wI",
    long: `--all --almost-all --author --color --color=always --color=auto --color=never --classify --directory
      --file-type --full-time --group-directories-first --human-readable --inode --no-group --numeric-uid-gid --recursive
      --reverse --size --zero`,
    longValued:
      "--sort --time --time-style --format --ignore --hide --width --indicator-style --quoting-style",
  },
  stat: {
    flags: "tx",
    valued: "c",
    optional: "f",
    longValued: "--format --printf",
    long: "--terse",
    value: /^[^/]*$/s,
  },
};

const lists: Readonly<Record<string, LookList>> = {
  "arch hostname whoami": { operands: "none" },
  basename: { flags: "az", valued: "s", operands: "text" },
  cat: {
    flags: "AbeEnstTuv",
    long: "--number --number-nonblank --show-all --show-ends --show-tabs --squeeze-blank",
  },
  "cksum rev tac": {},
  cmp: { flags: "bls", valued: "n", maxOperands: 2 },
  column: { flags: "t", valued: "s", value: /^.$/s },
  comm: { flags: "123", maxOperands: 2, long: "--nocheck-order --check-order --total" },
  cut: {
    flags: "szn",
    valued: "dfbc",
    longValued: "--delimiter --fields --bytes --characters",
    value: /^[\d,-]+$|^.$/s,
  },
  date: {
    flags: "uR",
    valued: "d",
    optional: "I",
    long: "--utc --rfc-email",
    longValued: "--date --rfc-3339",
    longOptional: "--iso-8601",
    value: /^[\w +:.,-]*$/,
    operands: /^\+/,
  },
  df: { flags: "ahHiklmPT", long: "--human-readable --total" },
  diff: {
    flags: "abBdeEiNpqstTuwyZ",
    valued: "UWC",
    long: "--brief --unified --side-by-side --ignore-case --ignore-all-space --ignore-blank-lines --color=never --minimal",
    maxOperands: 2,
    filesOnly: true,
  },
  dirname: { flags: "z", operands: "text" },
  du: {
    flags: "abchkmsS0x",
    valued: "d",
    longValued: "--max-depth --exclude",
    long: "--summarize --human-readable --all --total --bytes",
  },
  expand: { valued: "t" },
  file: { flags: "bihNn", long: "--brief --mime --mime-type --mime-encoding" },
  fold: { flags: "bs", valued: "w" },
  "head tail": {
    flags: "qv",
    valued: "nc",
    longValued: "--lines --bytes",
    long: "--quiet --silent --verbose",
    digits: true,
  },
  hexdump: { flags: "bcCdovx", valued: "ns" },
  id: { flags: "gGnruz", operands: "none" },
  join: { flags: "i", valued: "12jt", maxOperands: 2, value: /^\d+$|^.$/s },
  "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum": digests,
  nl: { flags: "p", valued: "bdfhilnsvw" },
  nproc: { operands: "none", long: "--all" },
  od: { flags: "abcdfiloxv", valued: "AjNt", optional: "w" },
  paste: { flags: "sz", valued: "d", value: /^.{1,4}$/s },
  readlink: { flags: "femnqsz" },
  realpath: { flags: "emqsz" },
  seq: { flags: "w", valued: "s", operands: numbers },
  shasum: { flags: "b", valued: "a" },
  sleep: { operands: /^\d+(?:\.\d+)?s?$/, maxOperands: 1 },
  sum: { flags: "rs" },
  tr: {
    flags: "cCdst",
    long: "--complement --delete --squeeze-repeats --truncate-set1",
    operands: "text",
    maxOperands: 2,
  },
  uname: { flags: "asnrvmpio", operands: "none", long: "--all" },
  unexpand: { flags: "a", valued: "t" },
  uptime: { flags: "ps", operands: "none" },
  wc: { flags: "clLmw", long: "--lines --words --chars --bytes --max-line-length" },
  which: { flags: "a", operands: /^[\w.+-]+$/ },
};

const tree: LookList = {
  flags: "adfhpsugDFCnNQqrtv",
  valued: "LIP",
  valuesApart: true,
  long: "--dirsfirst --gitignore --noreport --du --prune --si --inodes",
  value: /^[^/]*$/,
};

const rows = (listed: Readonly<Record<string, LookList>>, silent: Program): ProgramRows =>
  Object.fromEntries(Object.entries(listed).map(([names, list]) => [names, { ...silent, looks: list }]));

const searches = {
  folders: /(?:^| )(?:-[a-zA-Z]*[rR]|--(?:dereference-)?recursive|--directories[= ]recurse|-d ?recurse)/,
  namesOnly: /^-[a-zA-Z]*[lLcq](?![a-zA-Z]*=)|^--(?:files-with|count|quiet|silent)/,
};

export const looks: ProgramRows = {
  tree: { looks: tree, writes: namedBy(/^-o$/) },
  ...rows(lists, {}),
  ...rows({ "grep egrep fgrep": grep }, { searches }),
  ...rows(namesOnly, { silent: true }),
};
