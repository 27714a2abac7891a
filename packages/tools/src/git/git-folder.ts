/** Where the repository of a folder keeps its parts, and whether git would use parts elsewhere. */
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { oneLine, placeNamedBy } from "./git-file.ts";
import { linkBelow } from "./link-below.ts";

export interface GitFolder {
  readonly kind: "folder" | "worktree" | "submodule";
  /** Absolute: HEAD and the index are there. */
  readonly own: string;
  /** Absolute: configuration, objects and refs are there. The same but for a worktree. */
  readonly shared: string;
  /** Why git must not simply be started: a sentence without its end. */
  readonly odd?: string;
}

/** `home` is a real path. Undefined when there is no `.git` in it. */
export function gitFolderAt(home: string): GitFolder | undefined {
  const marker = join(home, ".git");
  const stats = lstatSync(marker, { throwIfNoEntry: false });
  if (stats === undefined) {
    return undefined;
  }
  const found: GitFolder = stats.isDirectory()
    ? { kind: "folder", own: marker, shared: marker }
    : stats.isFile()
      ? namedFolder(home, marker)
      : { kind: "folder", own: marker, shared: marker, odd: ".git is a link" };
  const odd = found.odd ?? problemOf(found);
  return odd === undefined ? found : { ...found, odd };
}

/** True for what git takes for a repository without a `.git`. */
export function looksLikeRepository(folder: string): boolean {
  return ["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name)));
}

/** `.git` as a file names the folder: a worktree or a submodule, which is known from the other side too. */
function namedFolder(home: string, marker: string): GitFolder {
  const odd = (own: string, shared: string): GitFolder => ({
    kind: "worktree",
    own,
    shared,
    odd: ".git is a file that names a repository elsewhere, and that one does not know this folder",
  });
  const target = placeNamedBy(marker);
  const own = target === undefined ? undefined : exactFolder(home, target);
  if (own === undefined) {
    return odd(marker, marker);
  }
  const common = join(own, "commondir");
  if (!existsSync(common) || namesItself(common)) {
    const belongs =
      /\/\.git\/(?:worktrees\/[^/]+\/)?modules\//.test(own) &&
      home.startsWith(own.slice(0, own.indexOf("/.git/") + 1));
    return belongs ? { kind: "submodule", own, shared: own } : odd(own, own);
  }
  const shared = exactFolder(own, oneLine(common) ?? "");
  if (shared === undefined) {
    return odd(own, own);
  }
  const known =
    dirname(own) === join(shared, "worktrees") && isSame(own, oneLine(join(own, "gitdir")), marker);
  return known ? { kind: "worktree", own, shared } : odd(own, shared);
}

function problemOf({ kind, own, shared }: GitFolder): string | undefined {
  const part =
    linkBelow(shared) ??
    [...(kind === "worktree" ? [] : ["commondir"]), "objects/info/alternates"].find(
      (name) => existsSync(join(shared, name)) && !(name === "commondir" && namesItself(join(shared, name))),
    );
  if (part !== undefined) {
    return `.git/${part} makes the repository use files elsewhere`;
  }
  const head = oneLine(join(own, "HEAD")) ?? "";
  const whole =
    /^(?:ref:\s*refs\/|[0-9a-f]{40})/.test(head) &&
    ["objects", "refs"].every((name) => isFolder(join(shared, name)));
  return whole ? undefined : ".git is no whole repository, and git would go on to one above it";
}

/** While a command runs in the sandbox, a `commondir` that leads nowhere else keeps it from making one. */
function namesItself(path: string): boolean {
  return oneLine(path) === ".";
}

/** The folder when the name leads there as it is written, through no link: `l/../x` is x only when l is no link. */
function exactFolder(from: string, name: string): string | undefined {
  try {
    const written = name.startsWith("/") ? name : `${from}/${name}`;
    const real = realpathSync.native(written);
    return real === resolve(from, name) && isFolder(real) ? real : undefined;
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

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
