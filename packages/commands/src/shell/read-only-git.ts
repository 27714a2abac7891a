/** Finds git calls that only read. They run without a pager, and without hooks and programs of the repository. */
import { showing } from "./git-reach.ts";
import type { LookList, PlainLook } from "./programs/program.ts";
import { readOptions } from "./read-options.ts";

const revision = /^[\w@{}^~./:+,=#%-]*$/;
/** The commands with their options. Operands are revisions and paths inside the repository, unless a row says otherwise. */
const commands: Readonly<Record<string, LookList>> = {
  status: {
    flags: "sbvuz",
    long: "--short --branch --porcelain --porcelain=v1 --porcelain=v2 --long --show-stash --ahead-behind --untracked-files --untracked-files=no --untracked-files=normal --untracked-files=all --ignored --no-renames --verbose",
  },
  log: showing,
  diff: showing,
  show: showing,
  shortlog: { flags: "sne", long: "--summary --numbered --email --all --no-merges" },
  "rev-parse": {
    flags: "q",
    long: "--abbrev-ref --short --verify --show-toplevel --git-dir --git-common-dir --show-prefix --show-cdup --is-inside-work-tree --is-bare-repository --is-inside-git-dir --symbolic-full-name --quiet --all --branches --tags --symbolic",
  },
  "ls-files": {
    flags: "cdmosuztvk",
    valued: "x",
    long: "--cached --deleted --modified --others --stage --unmerged --exclude-standard --full-name --error-unmatch --ignored --directory",
  },
  "ls-tree": { flags: "rdtlz", long: "--name-only --name-status --long --full-tree --full-name" },
  "rev-list": showing,
  "merge-base": { flags: "a", long: "--is-ancestor --all --octopus --fork-point" },
  "name-rev": { long: "--name-only --tags --all --always" },
  describe: {
    // `--dirty` is missing, because it reads submodules in any configuration.
    long: "--tags --always --long --all --exact-match --abbrev=0 --contains --first-parent",
    longValued: "--match",
    longOptional: "--abbrev",
  },
  blame: {
    flags: "wlsetfnCM",
    valued: "L",
    long: "--porcelain --line-porcelain --show-email --date=short",
    value: /^[\d,+$-]+$/,
  },
  "cat-file": { flags: "pts" },
  "count-objects": { flags: "vH", operands: "none" },
  "check-ignore": { flags: "vnq", long: "--verbose --non-matching --quiet --no-index" },
  branch: {
    flags: "avri",
    long: "--list --all --remotes --show-current --verbose --no-color --no-column",
    longValued: "--sort --format --contains --merged --no-merged --points-at",
    operands: "none",
  },
  tag: {
    flags: "ln",
    long: "--list",
    longValued: "--sort --contains --points-at --format",
    operands: "none",
  },
  remote: { flags: "v", long: "--verbose", operands: "none" },
  stash: { long: "--stat --oneline", operands: /^(?:list|show|stash@\{\d+\})$/ },
  worktree: { long: "--porcelain", operands: /^list$/ },
  reflog: { valued: "n", long: "--oneline --all", operands: "none" },
  version: { long: "--build-options", operands: "none" },
};

/** Returns a look with the files that the call names and prints; undefined if the call may do more than read. */
export function gitLooks(args: readonly string[]): PlainLook | undefined {
  const start = args.findIndex((word) => word !== "--no-pager" && word !== "--no-optional-locks");
  const [name = "", ...rest] = args.slice(start === -1 ? args.length : start);
  if (name === "--version") return rest.length === 0 ? { paths: [], recursive: false } : undefined;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  // `git stash` and `git worktree` may change something if no word follows directly.
  const wordless = (name === "stash" || name === "worktree") && !/^\w/.test(rest[0] ?? "");
  const known = command === undefined || wordless ? undefined : readOptions(rest, command);
  if (!command || !known || !operandsFit(known.operands, command.operands)) return undefined;
  return { paths: showsFiles.test(name) ? known.operands.map(pathIn) : [], recursive: false };
}

/** Matches commands that print lines of the files that their operands name, in the folder (through links) or in a commit. */
const showsFiles = /^(?:show|diff|blame|cat-file)$/;

/** Returns `a.ts` for `HEAD:a.ts`; an operand without `:` as it is. */
function pathIn(operand: string): string {
  return operand.slice(operand.lastIndexOf(":") + 1);
}

function operandsFit(operands: readonly string[], allowed: LookList["operands"]): boolean {
  if (allowed !== undefined) return operands.every((word) => allowed instanceof RegExp && allowed.test(word));
  return operands.every(
    (word) => revision.test(word) && !word.startsWith("/") && !word.split("/").includes(".."),
  );
}
