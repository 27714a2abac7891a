/** Reads the ignore rules that hold in a workspace and are not in it: those of its repository. */
import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { bytesOf } from "../git-files/git-file.ts";
import { gitPlaceAt } from "../git-files/git-folder.ts";
import { statsAt } from "../paths/stats-at.ts";
import { type IgnoreFile, readIgnoreRules } from "./ignore-rules.ts";

export interface RulesAbove {
  /** The path of the workspace in its repository, with `/` at the end; empty at the root of a repository and outside of one. */
  readonly prefix: string;
  readonly files: readonly IgnoreFile[];
  /** Absolute path of the index; undefined outside of a repository. */
  readonly index?: string;
  /** The texts of the rules, to compare. */
  readonly text: string;
}

const maxIgnoreBytes = 256 * 1024;

export function rulesAbove(root: string): RulesAbove {
  const top = repositoryOf(root);
  if (top === undefined) return { prefix: "", files: [], text: "" };
  const git = gitPlaceAt(top);
  const within = relative(top, root).split(sep).join("/");
  const names = within === "" ? [] : within.split("/");
  const places = [
    { folder: "", path: join(git?.shared ?? join(top, ".git"), "info", "exclude") },
    ...names.map((_, at) => {
      const above = names.slice(0, at);
      return { folder: above.map((name) => `${name}/`).join(""), path: join(top, ...above, ".gitignore") };
    }),
  ];
  const texts = places.map(({ path }) => ignoreText(path) ?? "");
  return {
    prefix: within === "" ? "" : `${within}/`,
    files: places.map(({ folder }, at) => ({ folder, rules: readIgnoreRules(texts[at] ?? "") })),
    ...(git === undefined ? {} : { index: join(git.own, "index") }),
    text: JSON.stringify(texts),
  };
}

function repositoryOf(root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Returns the text of a file of rules; undefined if it is no regular file, is too large, or cannot be read. Git follows no link either. */
export function ignoreText(path: string): string | undefined {
  try {
    return statsAt(path)?.isFile() === true ? bytesOf(path, maxIgnoreBytes)?.toString("utf8") : undefined;
  } catch {
    return undefined;
  }
}
