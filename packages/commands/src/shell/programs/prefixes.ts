/**
 * The beginnings of commands for which one answer may cover any further words, with the further words that it covers. None of
 * these words chooses another program, another configuration or another place.
 */
import type { Words } from "./program.ts";

interface PrefixRow {
  /** The beginnings, separated by commas. `*` is one word, which becomes part of the beginning. */
  readonly begins: string;
  /** The options without a value, separated by blanks. */
  readonly flags?: string;
  /** The options whose value is the next word, or follows `=`. */
  readonly valued?: string;
  /** True if words that are no options may follow: names and paths in the workspace. */
  readonly operands?: true;
}

const rows: readonly PrefixRow[] = [
  {
    begins:
      "npm test, npm t, npm run *, npm run-script *, pnpm test, pnpm run *, yarn test, yarn run *, bun test, bun run *",
    flags: "-s --silent --if-present --",
    operands: true,
  },
  { begins: "node --test", flags: "--test-only", valued: "--test-name-pattern", operands: true },
  {
    begins: "python -m unittest, python3 -m unittest",
    flags: "discover -v -q -f -b --verbose --quiet --failfast --buffer --locals",
    valued: "-k -s -p -t --start-directory --pattern --top-level-directory",
    operands: true,
  },
  {
    begins: "pytest, py.test, python -m pytest, python3 -m pytest",
    flags:
      "-v -vv -q -x -s -l -rA --verbose --quiet --exitfirst --lf --ff --last-failed --failed-first --collect-only",
    valued: "-k -m --maxfail --tb --durations",
    operands: true,
  },
  {
    begins: "go test, go vet, go build",
    flags: "-v -race -short -cover -failfast",
    valued: "-run -count -timeout -bench -parallel",
    operands: true,
  },
  {
    begins: "cargo test, cargo build, cargo check, cargo clippy, cargo fmt",
    flags:
      "-v -q --verbose --quiet --release --workspace --all --lib --bins --tests --all-targets --all-features --no-fail-fast --check --offline --locked",
    valued: "-p --package --test --bin --features",
    operands: true,
  },
  { begins: "make *", flags: "-s -k --silent --keep-going" },
  {
    begins: "ruff check, ruff format, mypy, pyright, black",
    flags: "-q --quiet --check --diff",
    operands: true,
  },
  { begins: "git add", flags: "-A -u -v --all --update --verbose", operands: true },
  { begins: "git commit", flags: "-a -q --all --quiet", valued: "-m -am --message" },
];

interface Begin {
  readonly words: Words;
  readonly row: PrefixRow;
}

const maxValue = 2_000;
/** A word with `@` first is no name: pytest, mypy and ruff read further options from the file that it names. */
const isName = (word: string) => /^[\w.][\w.@,:+/[\]-]*$/.test(word) && !leads.test(word);
/** Matches a word that may lead out of the folder. */
const leads = /^[/~]|\/\/|(?:^|\/)\.\.(?:\/|$)/;

/** Returns the longest beginning of the table with which a call begins, if it covers all further words; else undefined. */
export function prefixOf(call: Words): Words | undefined {
  const [begin] = rows
    .flatMap((row) => row.begins.split(", ").map((text): Begin => ({ words: text.split(" "), row })))
    .filter(({ words }) => words.every((word, at) => isWord(word, call[at])))
    .sort((a, b) => b.words.length - a.words.length);
  if (begin === undefined) return undefined;
  const length = begin.words.length;
  return coversAll(call.slice(length), begin.row) ? call.slice(0, length) : undefined;
}

function isWord(pattern: string, word: string | undefined): boolean {
  return pattern === "*" ? word !== undefined && /^\w[\w:.-]*$/.test(word) : pattern === word;
}

function coversAll(further: Words, { flags = "", valued = "", operands }: PrefixRow): boolean {
  const alone = flags.split(" ");
  const withValue = valued.split(" ").filter((option) => option !== "");
  for (let at = 0; at < further.length; at += 1) {
    const word = further[at] ?? "";
    const equals = word.indexOf("=");
    if (withValue.includes(word)) {
      at += 1;
      if (!isValue(further[at])) return false;
    } else if (equals > 0 && withValue.includes(word.slice(0, equals))) {
      if (!isValue(word.slice(equals + 1))) return false;
    } else if (word === "" || !alone.includes(word)) {
      if (operands !== true || !isName(word)) return false;
    }
  }
  return true;
}

function isValue(word: string | undefined): boolean {
  return (
    word !== undefined && word !== "" && word.length <= maxValue && !word.startsWith("-") && !leads.test(word)
  );
}
