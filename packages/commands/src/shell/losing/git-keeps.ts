/** Lists the calls of git that lose no work: git keeps it in commits, stashes or the reflog, or refuses to overwrite it. */
import { readGitCall } from "../git-call.ts";
import type { Lost, Words } from "../programs/program.ts";
import { type OptionList, readOptions } from "../read-options.ts";
import { listedByGit } from "./git-lists.ts";
import { sourceOfApply } from "./patch-names.ts";

/** Returns true if a word may name a file, or a folder with files. */
export type Holds = (word: string) => boolean;

interface Row extends OptionList {
  /** Matches words of which the call must have at least one; absent if the row only limits the options. */
  readonly needs?: RegExp;
  /** Returns true if the call loses nothing with these operands. */
  readonly fits?: (operands: Words, options: Words, holds: Holds) => boolean;
}

/** The row of a command, or a pattern for the words with which a call of the command may lose something. */
type Known = Row | RegExp;

const anything = /^/s;
/** Matches `--output`, also shortened: git overwrites the named file. No other option of these commands loses work. */
const nothingLost = /^--ou/;
const endsMerge = /^--(?:ab|sk|ou)/;
const staging = { value: anything, long: "--quiet" } as const;

const verb = (verbs: RegExp, lost: RegExp): NonNullable<Row["fits"]> => {
  return ([first = ""], options) => verbs.test(first) && !options.some((word) => lost.test(word));
};

/** For each command, the calls that lose nothing. All other calls count as calls that may lose work. */
const commands: Readonly<Record<string, Known>> = {
  ...rows(
    `add annotate bisect blame cat-file check-attr check-ignore cherry clone commit count-objects describe diff diff-files
    diff-index diff-tree fetch for-each-ref fsck grep help init log ls-files ls-remote ls-tree merge-base name-rev pull
    range-diff rev-list rev-parse shortlog show show-ref stage status var version whatchanged`,
    nothingLost,
  ),
  ...rows("am cherry-pick merge revert", endsMerge),
  apply: {
    needs: /^--(?:check|stat|numstat|summary|cached)$/,
    flags: "NRv",
    valued: "pC",
    long: "--check --stat --numstat --summary --cached --reverse --verbose --recount",
  },
  branch: {
    flags: "acdlmqrtvi",
    valued: "u",
    long: `--all --copy --delete --list --move --no-color --no-track --quiet --remotes --show-current --track
      --unset-upstream --verbose`,
    longValued: "--contains --format --merged --no-merged --points-at --set-upstream-to --sort",
    value: anything,
  },
  checkout: {
    flags: "dqt",
    valued: "b",
    long: "--detach --guess --no-guess --no-progress --no-track --progress --quiet --track",
    value: anything,
    // A word may name a branch or a file. Only a file that exists has content to lose.
    fits: (operands, options, holds) =>
      (options.includes("-b") && operands.length < 2) ||
      operands.every((word) => !/^:|[*?[]/.test(word) && !holds(word)),
  },
  clean: { needs: /^(?:-[a-zA-Z]*n[a-zA-Z]*|--dry-run)$/, flags: "dfnqxX", long: "--dry-run --quiet" },
  config: {
    flags: "lz",
    long: `--add --bool --get --get-all --get-regexp --global --int --list --local --name-only --null --show-origin
      --show-scope --system --worktree`,
    longValued: "--default --type",
    value: anything,
    fits: ([first = ""]) => !/^(?:unset|edit|remove-section|rename-section)$/.test(first),
  },
  mv: { flags: "knv", long: "--dry-run --verbose" },
  push: {
    flags: "nquv",
    long: "--all --dry-run --follow-tags --no-verify --quiet --set-upstream --tags --verbose",
    longValued: "--push-option",
    fits: (operands) => !operands.some((word) => /^[+:]/.test(word)),
  },
  reflog: {
    valued: "n",
    long: "--all --oneline",
    longOptional: "--date",
    fits: ([first]) => !/^(?:delete|drop|expire|write)$/.test(first ?? ""),
  },
  remote: { flags: "nv", long: "--verbose", fits: verb(/^(?:|add|get-url|show)$/, /^-f/) },
  reset: { ...staging, flags: "Nq", long: "--intent-to-add --mixed --no-refresh --quiet --refresh --soft" },
  restore: {
    ...staging,
    needs: /^(?:-q?Sq?|--staged)$/,
    flags: "Sq",
    valued: "s",
    long: "--quiet --staged",
    longValued: "--source",
  },
  rm: {
    needs: /^(?:--cached|-[a-z]*n[a-z]*|--dry-run)$/,
    flags: "fnqr",
    long: "--cached --dry-run --ignore-unmatch --quiet",
  },
  stash: {
    flags: "akpquS",
    valued: "m",
    long: `--all --include-untracked --index --keep-index --no-keep-index --only-untracked --patch --quiet --staged --stat
      --oneline`,
    longValued: "--message --pathspec-from-file",
    value: anything,
    fits: ([first = "push"]) => !/^(?:drop|clear|branch|export|import)$/.test(first),
  },
  submodule: /^(?:--force|-[a-z]*f[a-z]*|deinit|set-branch|set-url|absorbgitdirs)$/,
  switch: {
    flags: "dqt",
    valued: "c",
    long: "--detach --guess --no-guess --no-progress --no-track --progress --quiet --track",
    longValued: "--create",
    value: anything,
  },
  tag: {
    flags: "alnsv",
    valued: "Fmu",
    long: "--annotate --list --no-sign --sign --verify",
    longValued: "--contains --file --format --message --points-at --sort",
    value: anything,
  },
  worktree: { valued: "b", long: "--detach --porcelain", fits: verb(/^(?:add|list)$/, /^-f/) },
};

function rows(names: string, known: Known): Readonly<Record<string, Known>> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, known]));
}

/** Matches options before the command that do not change which files the command means. */
const plainBefore =
  /^(?:-C|-c|-P|-p|-v|-h|--version|--help|--no-pager|--paginate|--no-optional-locks|--literal-pathspecs|--no-advice)$/;
/** Matches a word that the shell replaces, perhaps by an option. */
const isComputed = /^[*?[{~]|[$`]/;

/**
 * Returns what a call of git may lose (`reset may lose ...`), and where that is if it is known; undefined if it is known to lose nothing.
 * `args` follow `git`.
 */
export function lostByGit(args: Words, holds: Holds): Lost | string | undefined {
  const call = readGitCall(args);
  const before = args.slice(0, args.length - call.args.length);
  const isPlain = before.every((word, at) => plainBefore.test(word) || /^-[cC]$/.test(before[at - 1] ?? ""));
  if (isPlain && (call.command === "" || losesNothing(call.command, call.args.slice(1), holds))) {
    return undefined;
  }
  const why = `${call.command} may lose work that git does not keep`;
  if (before.length > 0) return why;
  const [command, ...rest] = args;
  const source = command === "apply" ? sourceOfApply(rest) : undefined;
  if (source !== undefined) return { why, where: { by: "patches", source } };
  const words = listedByGit(args);
  return words === undefined ? why : { why, where: { by: "listed", words } };
}

function losesNothing(command: string, rest: Words, holds: Holds): boolean {
  const known = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (known === undefined) return false;
  if (known instanceof RegExp) return !rest.some((word) => known.test(word));
  if (known.needs !== undefined && !rest.some((word) => known.needs?.test(word))) return false;
  const { options, operands } = readOptions(rest, known) ?? {};
  if (operands === undefined || operands.some((word) => isComputed.test(word))) return false;
  return known.fits?.(operands, options ?? [], holds) ?? true;
}
