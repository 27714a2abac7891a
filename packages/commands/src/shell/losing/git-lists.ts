/** Asks git, before a call of git that overwrites or removes files, which files these are. */
import type { Words } from "../programs/program.ts";
import { type OptionList, readOptions } from "../read-options.ts";

interface Listed extends OptionList {
  /** Returns the words of the call that lists the files; undefined if it is unknown which files the call changes. */
  readonly lists: (call: ListedCall) => Words | undefined;
}

interface ListedCall {
  readonly operands: Words;
  readonly options: Words;
  /** The words before and after `--`; `after` is undefined if there is none. */
  readonly before: Words;
  readonly after: Words | undefined;
  readonly source: string | undefined;
}

/** Lists the tracked files that are not as in the commit, or not as in the index if there is none. */
const differing = ["diff", "--name-only", "-z", "--no-renames", "--ignore-submodules=none"] as const;

const untracked = ["ls-files", "-z", "--others", "--exclude-per-directory=.gitignore"] as const;

/** For each command the options that do not change which files are meant, and the list of the files that it changes. */
const commands: Readonly<Record<string, Listed>> = {
  checkout: {
    flags: "q",
    long: "--quiet",
    lists: ({ before, after }) => {
      if (after === undefined && before.join() !== ".") return undefined;
      const [commit, ...more] = after === undefined ? [] : before;
      return more.length > 0 ? undefined : listDiffering(commit, after ?? before);
    },
  },
  restore: {
    flags: "qSW",
    valued: "s",
    long: "--quiet --staged --worktree",
    longValued: "--source",
    value: /^[^-].*$/s,
    lists: ({ operands, options, source }) => {
      const isStaged = options.some((one) => /^(?:-S|S|--staged)$/.test(one));
      return listDiffering(source ?? (isStaged ? "HEAD" : undefined), operands);
    },
  },
  reset: {
    flags: "q",
    long: "--hard --quiet",
    lists: ({ before, after, options }) =>
      after === undefined && before.length < 2 && options.includes("--hard")
        ? listDiffering(before[0] ?? "HEAD", ["."])
        : undefined,
  },
  clean: {
    flags: "dfq",
    long: "--force --quiet",
    // Rules outside of the workspace are left out, because git may not see them in the sandbox.
    lists: ({ operands }) => [...untracked, "--", ...operands],
  },
  rm: {
    flags: "fqr",
    long: "--force --quiet",
    lists: ({ operands }) => (operands.length === 0 ? undefined : ["ls-files", "-z", "--", ...operands]),
  },
};

/** Matches a word that names a commit, if there is one of that name, and no range and no option. */
const commit = /^(?!-)(?!.*\.\.)[\w./@~^-]+$/;

function listDiffering(from: string | undefined, paths: Words): Words | undefined {
  if (paths.length === 0 || (from !== undefined && !commit.test(from))) return undefined;
  return [...differing, ...(from === undefined ? [] : [from]), "--", ...paths];
}

/**
 * Returns the words after `git` with which it lists, each with a NUL behind it, all files that a call overwrites or removes; undefined
 * if that is unknown. `args` follow `git`.
 */
export function listedByGit([command = "", ...args]: Words): Words | undefined {
  const row = Object.hasOwn(commands, command) ? commands[command] : undefined;
  const read = row && readOptions(args, row);
  if (row === undefined || read === undefined) return undefined;
  const ends = args.indexOf("--");
  const after = ends === -1 ? undefined : args.slice(ends + 1);
  const before = read.operands.slice(0, read.operands.length - (after?.length ?? 0));
  const sources = args.flatMap((word, at) => {
    const [found, value] = /^(?:-[qSW]*s|--source|--source=(.+)|-[qSW]*s.+)$/s.exec(word) ?? [];
    return found === undefined || (ends !== -1 && at > ends) ? [] : [value ?? args[at + 1] ?? ""];
  });
  const isRestore = command === "restore";
  const isAttached = args.some((word) => /^-[qSW]*s.+$/s.test(word));
  if (isRestore && (sources.length > 1 || isAttached)) return undefined;
  const asked = row.lists({
    ...{ operands: read.operands, options: read.options, before, after },
    source: isRestore ? sources[0] : undefined,
  });
  const paths = asked?.slice(asked.indexOf("--") + 1) ?? [];
  // What the shell replaces, and a pattern or a word such as `:(top)`, may mean something else where the list is made.
  return paths.some((word) => /^[:~]|[*?[{$`\\]/.test(word)) ? undefined : asked;
}
