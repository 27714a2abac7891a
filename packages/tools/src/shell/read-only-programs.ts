/** Programs that only look, with the options under which they do. A program or an option that is not here may do anything. */
import { gitLooks } from "./read-only-git.ts";
import { type OptionList, readOptions } from "./read-options.ts";

export interface Look {
  /** Words that name files or folders that are read. */
  readonly paths: readonly string[];
  /** True when all below the folders is read too. */
  readonly recursive: boolean;
  /** True when folders are no matter for it: it would follow links in them. */
  readonly filesOnly?: true;
}

interface Program extends OptionList {
  /** What operands are. Default `paths`. `none`: none is allowed; `text`: anything; `pattern`: the first is not a path. */
  readonly operands?: "paths" | "none" | "text" | "pattern" | RegExp;
  readonly most?: number;
  /** Options that make it read whole folders. */
  readonly recursive?: string;
  readonly check?: (args: readonly string[]) => boolean;
  /** Reads the contents of whole folders without any option. */
  readonly readsFolders?: true;
  readonly filesOnly?: true;
}

const numbers = /^[+-]?[\d.]+$/;
const digests: Program = { flags: "btz", long: "--binary --text --tag --zero" };
const grep: Program = {
  flags: "EFGPivwxcLloqsHhnbaIrTZ",
  valued: "ABCme",
  long: `--extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --invert-match
    --word-regexp --line-regexp --count --files-with-matches --files-without-match --only-matching --quiet --silent
    --no-messages --with-filename --no-filename --line-number --byte-offset --text --recursive --null --color=never
    --color=auto --color=always --color`.replace(/\s+/g, " "),
  longValued: "--include --exclude --exclude-dir --max-count --after-context --before-context --binary-files",
  longOptional: "--context",
  operands: "pattern",
  recursive: "-r --recursive",
  value: /^[^/]*$|^[^-].*$/s,
};

const programs: Readonly<Record<string, Program>> = {
  ":": { operands: "text" },
  arch: { operands: "none" },
  basename: { flags: "az", valued: "s", operands: "text" },
  cat: {
    flags: "AbeEnstTuv",
    long: "--number --number-nonblank --show-all --show-ends --show-tabs --squeeze-blank",
  },
  cksum: {},
  cmp: { flags: "bls", valued: "n", most: 2 },
  column: { flags: "t", valued: "s", value: /^.$/s },
  comm: { flags: "123", most: 2, long: "--nocheck-order --check-order --total" },
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
    most: 2,
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
  false: { operands: "none" },
  file: { flags: "bihNn", long: "--brief --mime --mime-type --mime-encoding" },
  fold: { flags: "bs", valued: "w" },
  grep,
  egrep: grep,
  fgrep: grep,
  head: {
    flags: "qv",
    valued: "nc",
    longValued: "--lines --bytes",
    long: "--quiet --silent --verbose",
    digits: true,
  },
  hexdump: { flags: "bcCdovx", valued: "ns" },
  hostname: { operands: "none" },
  id: { flags: "gGnruz", operands: "none" },
  join: { flags: "i", valued: "12jt", most: 2, value: /^\d+$|^.$/s },
  ls: {
    flags: "1aAbBcCdfFgGhiklmnNopqQrRsStTuUvxXZ",
    // Here they take the next word, there they do not.
    optional: "wI",
    long: `--all --almost-all --author --color --color=always --color=auto --color=never --classify --directory
      --file-type --full-time --group-directories-first --human-readable --inode --no-group --numeric-uid-gid --recursive
      --reverse --size --zero`.replace(/\s+/g, " "),
    longValued:
      "--sort --time --time-style --format --ignore --hide --width --indicator-style --quoting-style",
  },
  md5sum: digests,
  nl: { flags: "p", valued: "bdfhilnsvw" },
  nproc: { operands: "none", long: "--all" },
  od: { flags: "abcdfiloxv", valued: "AjNt", optional: "w" },
  paste: { flags: "sz", valued: "d", value: /^.{1,4}$/s },
  printf: { operands: "text", check: ([format = ""]) => plainFormat.test(format) },
  pwd: { flags: "LP", operands: "none" },
  readlink: { flags: "femnqsz" },
  realpath: { flags: "emqsz" },
  rev: {},
  rg: {
    flags: "FiSsvwxclnNHIopqUu0P",
    valued: "ABCmegtTdM",
    long: `--fixed-strings --ignore-case --smart-case --case-sensitive --invert-match --word-regexp --line-regexp --count
      --count-matches --files-with-matches --files-without-match --line-number --no-line-number --with-filename
      --no-filename --only-matching --quiet --multiline --multiline-dotall --pcre2 --files --hidden --no-ignore --no-heading
      --heading --json --trim --vimgrep --column --no-config --stats --null --no-messages --passthru --type-list`.replace(
      /\s+/g,
      " ",
    ),
    longValued:
      "--glob --iglob --type --type-not --max-count --max-depth --max-columns --max-filesize --after-context --before-context --context --color --sort --sortr --regexp --threads --encoding",
    operands: "pattern",
    value: /^[^/]*$|^[^-].*$/s,
    readsFolders: true,
  },
  seq: { flags: "w", valued: "s", operands: numbers },
  sha1sum: digests,
  sha224sum: digests,
  sha256sum: digests,
  sha384sum: digests,
  sha512sum: digests,
  shasum: { flags: "b", valued: "a" },
  b2sum: digests,
  sleep: { operands: /^\d+(?:\.\d+)?s?$/, most: 1 },
  sort: {
    flags: "bcCdfghiMnrRsuVz",
    valued: "kt",
    long: "--numeric-sort --reverse --unique --human-numeric-sort --version-sort --ignore-case --stable --zero-terminated",
    longValued: "--key --field-separator",
    value: /^[\w.,]+$|^.$/s,
  },
  stat: {
    flags: "tx",
    valued: "c",
    optional: "f",
    longValued: "--format --printf",
    long: "--terse",
    value: /^[^/]*$/s,
  },
  sum: { flags: "rs" },
  tac: {},
  tail: {
    flags: "qv",
    valued: "nc",
    longValued: "--lines --bytes",
    long: "--quiet --silent --verbose",
    digits: true,
  },
  tr: {
    flags: "cCdst",
    long: "--complement --delete --squeeze-repeats --truncate-set1",
    operands: "text",
    most: 2,
  },
  tree: {
    flags: "adfhpsugDFCnNQqrtv",
    valued: "LIP",
    valuesApart: true,
    long: "--dirsfirst --gitignore --noreport --du --prune --si --inodes",
    value: /^[^/]*$/,
  },
  true: { operands: "none" },
  type: { flags: "aptP", operands: "text" },
  uname: { flags: "asnrvmpio", operands: "none", long: "--all" },
  unexpand: { flags: "a", valued: "t" },
  uniq: { flags: "cdDiuz", valued: "fsw", most: 1, long: "--count --repeated --unique --ignore-case" },
  uptime: { flags: "ps", operands: "none" },
  wc: { flags: "clLmw", long: "--lines --words --chars --bytes --max-line-length" },
  which: { flags: "a", operands: /^[\w.+-]+$/ },
  whoami: { operands: "none" },
};

/** No `%n`; widths and precisions are written out and small. */
const plainFormat = /^(?!-)(?:[^%]|%[-+ 0#]*\d{0,3}(?:\.\d{1,3})?[sdiuxXocbqeEfgG%])*$/s;

/** Programs that print their version with this one argument, and run nothing of the folder they stand in. */
const versions: Readonly<Record<string, readonly string[]>> = {
  node: ["--version", "-v"],
  python3: ["--version", "-V"],
  python: ["--version", "-V"],
  gcc: ["--version"],
  make: ["--version", "-v"],
  bash: ["--version"],
  rg: ["--version"],
};

/** What the call looks at, or undefined when it may do more than look. */
export function looksOnly(words: readonly string[]): Look | undefined {
  const [name = "", ...args] = words;
  if (args.length === 1 && versions[name]?.includes(args[0] ?? "") === true) {
    return { paths: [], recursive: false };
  }
  switch (name) {
    case "git":
      return gitLooks(args);
    case "find":
      return findLooks(args);
    case "sed":
      return sedLooks(args);
    case "echo":
      return { paths: [], recursive: false };
    default:
      return Object.hasOwn(programs, name) ? programLooks(programs[name] ?? {}, args) : undefined;
  }
}

function programLooks(program: Program, args: readonly string[]): Look | undefined {
  const known = program.check?.(args) === true ? { options: [], operands: args } : readKnown(program, args);
  if (known === undefined || known.operands.length > (program.most ?? Number.POSITIVE_INFINITY)) {
    return undefined;
  }
  const { operands: kind = "paths" } = program;
  const { operands, options } = known;
  const recursive =
    program.readsFolders === true || options.some((option) => program.recursive?.split(" ").includes(option));
  if (kind === "paths") {
    const paths = operands.filter((word) => word !== "-");
    return program.filesOnly === true ? { paths, recursive, filesOnly: true } : { paths, recursive };
  }
  if (kind === "pattern") {
    const patternGiven = options.some((option) => /^(?:-e|--regexp|--files|--type-list)$/.test(option));
    return { paths: operands.slice(patternGiven ? 0 : 1).filter((word) => word !== "-"), recursive };
  }
  const fits =
    kind === "text" || (kind === "none" ? operands.length === 0 : operands.every((word) => kind.test(word)));
  return fits ? { paths: [], recursive: false } : undefined;
}

function readKnown(program: Program, args: readonly string[]) {
  return program.check === undefined ? readOptions(args, program) : undefined;
}

const findTests =
  /^-(?:name|iname|type|path|ipath|wholename|maxdepth|mindepth|size|mtime|mmin|ctime|cmin|atime|amin|perm|user|group|links|regex|iregex|regextype|newer|anewer|printf)$/;
const findWords =
  /^-(?:not|a|and|o|or|print|print0|ls|empty|prune|depth|mount|xdev|readable|writable|executable|true|false)$/;

/** Paths come first, then tests of a known kind. */
function findLooks(args: readonly string[]): Look | undefined {
  const first = args.findIndex((word) => word.startsWith("-"));
  const paths = first === -1 ? args : args.slice(0, first);
  const tests = first === -1 ? [] : args.slice(first);
  const newer: string[] = [];
  for (let index = 0; index < tests.length; index += 1) {
    const word = tests[index] ?? "";
    if (findTests.test(word) && tests[index + 1] !== undefined) {
      index += 1;
      if (/newer$/.test(word)) {
        newer.push(tests[index] ?? "");
      }
    } else if (!findWords.test(word)) {
      return undefined;
    }
  }
  return { paths: [...paths, ...newer], recursive: false };
}

/** `sed -n 10,20p file`: lines printed, nothing else. */
function sedLooks([option, script = "", ...files]: readonly string[]): Look | undefined {
  const prints = /^(?:(?:\d+|\$)(?:,(?:\d+|\$))?p;?)+$/.test(script);
  return option === "-n" && prints && files.every((word) => !word.startsWith("-"))
    ? { paths: files, recursive: false }
    : undefined;
}
