/** Git commands that only look. They are run hardened: no hooks, no pager, no programs that a repository names. */
import type { Look } from "./read-only-programs.ts";
import { type OptionList, readOptions } from "./read-options.ts";

const revision = /^[\w@{}^~./:+,=#%-]*$/;
const showing: OptionList = {
  flags: "pubwszRaimcM1234567890",
  valued: "nSGL",
  optional: "U",
  long: `--patch --no-patch --stat --shortstat --numstat --name-only --name-status --summary --oneline --graph --decorate
    --no-decorate --all --branches --tags --remotes --merges --no-merges --first-parent --reverse --follow --cached
    --staged --no-color --color=never --word-diff --ignore-all-space --ignore-space-change --ignore-blank-lines
    --abbrev-commit --no-renames --find-renames --full-index --raw --check --quiet --no-ext-diff --no-textconv --minimal
    --relative --date-order --topo-order --compact-summary --dirstat --pickaxe-all
    --merge-base --no-prefix --exit-code --left-right --cherry-pick --boundary --parents --children`.replace(
    /\s+/g,
    " ",
  ),
  longValued:
    "--format --max-count --skip --since --until --after --before --author --committer --grep --date --stat-width --diff-filter --diff-algorithm",
  longOptional: "--pretty --unified --abbrev --decorate --word-diff --color",
  value: /^[^/-][^/]*$|^$|^\d+,\d+:[\w./-]+$/s,
  digits: true,
};

interface GitCommand {
  readonly list: OptionList;
  /** What operands may be. Default: revisions and paths, which stay in the repository. */
  readonly operands?: RegExp | "none";
}

const commands: Readonly<Record<string, GitCommand>> = {
  status: {
    list: {
      flags: "sbvuz",
      long: "--short --branch --porcelain --porcelain=v1 --porcelain=v2 --long --show-stash --ahead-behind --untracked-files --untracked-files=no --untracked-files=normal --untracked-files=all --ignored --no-renames --verbose",
    },
  },
  log: { list: showing },
  diff: { list: showing },
  show: { list: showing },
  shortlog: { list: { flags: "sne", long: "--summary --numbered --email --all --no-merges" } },
  "rev-parse": {
    list: {
      flags: "q",
      long: "--abbrev-ref --short --verify --show-toplevel --git-dir --git-common-dir --show-prefix --show-cdup --is-inside-work-tree --is-bare-repository --is-inside-git-dir --symbolic-full-name --quiet --all --branches --tags --symbolic",
    },
  },
  "ls-files": {
    list: {
      flags: "cdmosuztvk",
      valued: "x",
      long: "--cached --deleted --modified --others --stage --unmerged --exclude-standard --full-name --error-unmatch --ignored --directory",
    },
  },
  "ls-tree": { list: { flags: "rdtlz", long: "--name-only --name-status --long --full-tree --full-name" } },
  "rev-list": { list: showing },
  "merge-base": { list: { flags: "a", long: "--is-ancestor --all --octopus --fork-point" } },
  "name-rev": { list: { long: "--name-only --tags --all --always" } },
  describe: {
    list: {
      // Not --dirty, which looks into submodules whatever is configured.
      long: "--tags --always --long --all --exact-match --abbrev=0 --contains --first-parent",
      longValued: "--match",
      longOptional: "--abbrev",
    },
  },
  blame: {
    list: {
      flags: "wlsetfnCM",
      valued: "L",
      long: "--porcelain --line-porcelain --show-email --date=short",
      value: /^[\d,+$-]+$/,
    },
  },
  "cat-file": { list: { flags: "pts" } },
  "count-objects": { list: { flags: "vH" }, operands: "none" },
  "check-ignore": { list: { flags: "vnq", long: "--verbose --non-matching --quiet --no-index" } },
  branch: {
    list: {
      flags: "avri",
      long: "--list --all --remotes --show-current --verbose --no-color --no-column",
      longValued: "--sort --format --contains --merged --no-merged --points-at",
    },
    operands: "none",
  },
  tag: {
    list: { flags: "ln", long: "--list", longValued: "--sort --contains --points-at --format" },
    operands: "none",
  },
  remote: { list: { flags: "v", long: "--verbose" }, operands: "none" },
  stash: { list: { long: "--stat --oneline" }, operands: /^(?:list|show|stash@\{\d+\})$/ },
  worktree: { list: { long: "--porcelain" }, operands: /^list$/ },
  reflog: { list: { valued: "n", long: "--oneline --all" }, operands: "none" },
  version: { list: { long: "--build-options" }, operands: "none" },
};

/** What the call looks at, or undefined when it may do more. Only options that change nothing stand before the command. */
export function gitLooks(args: readonly string[]): Look | undefined {
  const start = args.findIndex((word) => word !== "--no-pager" && word !== "--no-optional-locks");
  const [name = "", ...rest] = args.slice(start === -1 ? args.length : start);
  if (name === "--version") {
    return rest.length === 0 ? { paths: [], recursive: false } : undefined;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  // Without a word these change something, also before options and `--`.
  const wordless = (name === "stash" || name === "worktree") && !/^\w/.test(rest[0] ?? "");
  const known = command === undefined || wordless ? undefined : readOptions(rest, command.list);
  if (command === undefined || known === undefined || !operandsFit(known.operands, command.operands)) {
    return undefined;
  }
  return { paths: showsFiles.test(name) ? known.operands.map(pathIn) : [], recursive: false };
}

/** Their operands are files whose lines they print, of the folder (also behind a link) or of a commit. */
const showsFiles = /^(?:show|diff|blame|cat-file)$/;

/** `a.ts` of `HEAD:a.ts`. */
function pathIn(operand: string): string {
  return operand.slice(operand.lastIndexOf(":") + 1);
}

function operandsFit(operands: readonly string[], allowed: RegExp | "none" | undefined): boolean {
  if (allowed !== undefined) {
    return allowed === "none" ? operands.length === 0 : operands.every((word) => allowed.test(word));
  }
  return operands.every(
    (word) => revision.test(word) && !word.startsWith("/") && !word.split("/").includes(".."),
  );
}
