/** Finds the files whose contents a git call may print. The history of git has the contents of every file. */
import { anyOf, wordsPattern } from "@localharness/workspace/patterns";
import { readGitCall } from "./git-call.ts";
import { type OptionList, readOptions } from "./read-options.ts";

export type GitReach =
  /** The call prints only names, messages or states. */
  | { readonly kind: "nothing" }
  /** The call may print contents of these paths, or of all files below them, from any commit. */
  | { readonly kind: "named"; readonly paths: readonly string[] }
  | { readonly kind: "everything" };

const nothing: GitReach = { kind: "nothing" };
const everything: GitReach = { kind: "everything" };

const quiet: ReadonlySet<string> = new Set(
  `add branch check-ignore commit config count-objects describe fetch for-each-ref help init ls-files ls-remote ls-tree
  merge-base mv name-rev remote rev-list rev-parse rm shortlog show-ref symbolic-ref tag var version`.split(
    /\s+/,
  ),
);
/** The options of `git log`, `git show` and `git diff` with which they only read. */
export const showing: OptionList = {
  flags: "pubwszRaimcM1234567890",
  valued: "nSGL",
  optional: "U",
  long: `--patch --no-patch --stat --shortstat --numstat --name-only --name-status --summary --oneline --graph --decorate
    --no-decorate --all --branches --tags --remotes --merges --no-merges --first-parent --reverse --follow --cached
    --staged --no-color --color=never --word-diff --ignore-all-space --ignore-space-change --ignore-blank-lines
    --abbrev-commit --no-renames --find-renames --full-index --raw --check --quiet --no-ext-diff --no-textconv --minimal
    --relative --date-order --topo-order --compact-summary --dirstat --pickaxe-all
    --merge-base --no-prefix --exit-code --left-right --cherry-pick --boundary --parents --children
    --no-walk --source --simplify-by-decoration --ignore-cr-at-eol`,
  longValued:
    "--format --max-count --skip --since --until --after --before --author --committer --grep --date --stat-width --diff-filter --diff-algorithm",
  longOptional: "--pretty --unified --abbrev --decorate --word-diff --color",
  value: /^[^/-][^/]*$|^$|^\d+,\d+:[\w./-]+$/s,
  digits: true,
};

/** Matches those of them with which git prints contents. */
const printing = /^(?:-[pucULGS]|--(?:patch|unified|word-diff|check))$/;
/** Matches other commands and the options, also shortened, with which they print contents. */
const verbose = anyOf(
  /^(?:status|commit|add) (?:-[a-zA-Z]*v[a-zA-Z]*$|--v)/,
  /^(?:commit|add) (?:-[a-zA-Z]*p$|--(?:patc|inter))/,
  /^add -[a-zA-Z]*i$/,
);
const summing = wordsPattern(
  "^",
  `--stat --shortstat --numstat --name-only --name-status --summary --compact-summary --dirstat
    --raw --no-patch --quiet -s -q`,
  "(?:=|$)",
);

const isHash = /^[\da-fA-F]{4,}$/;

/** Returns the files whose contents a git call may print. `words` are the words after the program's name. */
export function gitReach(words: readonly string[]): GitReach {
  const { command, args } = readGitCall(words);
  const rest = args.slice(1);
  const options = optionsOf(rest);
  const known = readOptions(rest, { ...showing, value: /^/ });
  const shows = known === undefined || known.options.some((option) => printing.test(option));
  const isVerbose = options.some((word) => verbose.test(`${command} ${word}`));
  const prints = /^(?:status|commit|add)$/.test(command) ? isVerbose : shows;
  const sums = options.some((word) => summing.test(word));
  if (/^(?:log|reflog|status|commit|add)$/.test(command)) return prints ? reachOf(rest) : nothing;
  if (command === "" || quiet.has(command)) return nothing;
  // A hash may name the contents of a file, which git prints with any option.
  const namesHash = rest.some((word) => isHash.test(word));
  if (command === "show") return prints || namesHash || !sums ? reachOf(rest) : nothing;
  if (command === "diff") return prints || !sums ? reachOf(rest) : nothing;
  const asksKind = options.length > 0 && options.every((word) => /^-[tse]$/.test(word));
  if (command === "cat-file") return asksKind ? nothing : reachOf(rest);
  if (command === "blame" || command === "annotate") {
    return { kind: "named", paths: rest.filter((word) => !word.startsWith("-")) };
  }
  const lists = rest[0] === "list" && (command === "worktree" || (command === "stash" && !prints));
  return lists ? nothing : everything;
}

function optionsOf(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  return (end === -1 ? args : args.slice(0, end)).filter((word) => word.startsWith("-"));
}

/** Returns the paths after `--`, or else those in words such as `REVISION:PATH`; everything if not all are plain paths. */
function reachOf(args: readonly string[]): GitReach {
  const end = args.indexOf("--");
  const operands = args.filter((word) => !word.startsWith("-"));
  const paths = end === -1 ? operands.map(pathOfRevision) : args.slice(end + 1);
  const plain = paths.filter((path) => path !== undefined && path !== "" && !/^:|[*?[]/.test(path));
  return plain.length > 0 && plain.length === paths.length
    ? { kind: "named", paths: plain.filter((path) => path !== undefined) }
    : everything;
}

/** Returns `a.ts` for `HEAD:a.ts` and for `:0:a.ts`; undefined for other words. */
export function pathOfRevision(word: string): string | undefined {
  return /^(?::[0-3]:|[^:-][^:]*:|:(?=[^/!^(:]))(.+)$/s.exec(word)?.[1];
}
