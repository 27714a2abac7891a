/** Finds the folders of a repository, and checks whether git would use files outside of it. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isFolderAt, statsAt } from "../paths/stats-at.ts";
import { oneLine, placeNamedBy } from "./git-file.ts";
import { isGitPlaceholder } from "./git-placeholders.ts";
import { linkBelow } from "./link-below.ts";

export interface GitFolder {
  readonly kind: "folder" | "worktree" | "submodule";
  /** Absolute path of the folder with HEAD and the index. */
  readonly own: string;
  /** Absolute path of the folder with configuration, objects and refs. Differs from `own` only in a worktree. */
  readonly shared: string;
  /** The reason why git must not be started without precautions: a sentence without its full stop. */
  readonly odd?: string;
}

/** Returns the repository of `home` (a real path); undefined if it has no `.git`. Looks at everything in it. */
export function gitFolderAt(home: string): GitFolder | undefined {
  const found = gitPlaceAt(home);
  const odd = found && (found.odd ?? problemOf(found));
  return found === undefined || odd === undefined ? found : { ...found, odd };
}

/** Returns the repository of `home` as `gitFolderAt` does, but does not look into it: `odd` is set only for what is odd about `.git`. */
export function gitPlaceAt(home: string): GitFolder | undefined {
  const marker = join(home, ".git");
  const stats = statsAt(marker);
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return { kind: "folder", own: marker, shared: marker };
  return stats.isFile()
    ? namedFolder(home, marker)
    : { kind: "folder", own: marker, shared: marker, odd: ".git is a link" };
}

/** Returns true for a folder that git may treat as a bare repository. */
export function looksLikeRepository(folder: string): boolean {
  return ["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name)));
}

/**
 * Returns the repository that a `.git` file names. Sets `odd` unless that repository lists `home` as its worktree, or is
 * stored as a submodule in a repository above `home`.
 */
function namedFolder(home: string, marker: string): GitFolder {
  const odd = (own: string, shared: string): GitFolder => ({
    kind: "worktree",
    own,
    shared,
    odd: ".git is a file that names a repository elsewhere, and that one does not know this folder",
  });
  const target = placeNamedBy(marker);
  const own = target === undefined ? undefined : exactFolder(home, target);
  if (own === undefined) return odd(marker, marker);
  const common = join(own, "commondir");
  if (!existsSync(common) || namesItself(common)) {
    const belongs =
      /\/\.git\/(?:worktrees\/[^/]+\/)?modules\//.test(own) &&
      home.startsWith(own.slice(0, own.indexOf("/.git/") + 1));
    return belongs ? { kind: "submodule", own, shared: own } : odd(own, own);
  }
  const shared = exactFolder(own, oneLine(common) ?? "");
  if (shared === undefined) return odd(own, own);
  const known =
    dirname(own) === join(shared, "worktrees") && isSame(own, oneLine(join(own, "gitdir")), marker);
  return known ? { kind: "worktree", own, shared } : odd(own, shared);
}

function problemOf({ kind, own, shared }: GitFolder): string | undefined {
  const part =
    linkBelow(shared) ??
    [...(kind === "worktree" ? [] : ["commondir"]), "objects/info/alternates"].find(
      (name) => existsSync(join(shared, name)) && !isGitPlaceholder(join(shared, name)),
    );
  if (part !== undefined) return `.git/${part} makes the repository use files elsewhere`;
  const head = oneLine(join(own, "HEAD")) ?? "";
  const whole =
    /^(?:ref:\s*refs\/|[0-9a-f]{40})/.test(head) &&
    ["objects", "refs"].every((name) => isFolderAt(join(shared, name)));
  return whole ? undefined : ".git is not a complete repository, and git would use one above it";
}

/** Returns true for a `commondir` that names its own folder: the placeholder that the sandbox creates while a command runs. */
function namesItself(path: string): boolean {
  return oneLine(path) === ".";
}

/**
 * Returns the folder that `name` means; undefined if it is absent or no folder, or if a link is in the path, because
 * `l/../x` is not `x` if `l` is a link.
 */
function exactFolder(from: string, name: string): string | undefined {
  try {
    const written = name.startsWith("/") ? name : `${from}/${name}`;
    const real = realpathSync.native(written);
    return real === resolve(from, name) && isFolderAt(real) ? real : undefined;
  } catch {
    return undefined;
  }
}

function isSame(from: string, name: string | undefined, path: string): boolean {
  try {
    return name !== undefined && realpathSync.native(resolve(from, name)) === path;
  } catch {
    return false;
  }
}
