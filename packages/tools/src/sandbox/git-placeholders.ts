/**
 * Creates placeholders for absent files of a repository, so that a command cannot create these files and git still works. Git
 * complains about a placeholder that is empty or that it cannot open, and takes any `rebase-merge` for a running rebase.
 */
import {
  lstatSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname } from "node:path";

interface Placeholder {
  readonly kind: "file" | "link";
  /** The content of the file, or the target of the link. */
  readonly content: string;
}

/**
 * The placeholders by file name. `commondir` names the repository from which git takes programs; the placeholder names its own
 * folder. `alternates` names repositories from which git takes objects; the placeholder has only a comment. `rebase-merge` is a
 * link to itself, which git cannot open, so that git sees no rebase and cannot begin one.
 */
const placeholders: Readonly<Record<string, Placeholder>> = {
  commondir: { kind: "file", content: ".\n" },
  alternates: { kind: "file", content: "#\n" },
  "rebase-merge": { kind: "link", content: "rebase-merge" },
};

/** Returns true if git reads the file at this path, so that the file needs one of these placeholders. */
export function isReadByGit(path: string): boolean {
  return Object.hasOwn(placeholders, basename(path));
}

/** Returns true if the path has its placeholder and that placeholder is a link. Nothing can be mounted on a link. */
export function isHeldByLink(path: string): boolean {
  return placeholders[basename(path)]?.kind === "link" && isGitPlaceholder(path);
}

/**
 * Returns a function that creates the placeholders of the given paths. It skips a path that exists, or whose folder does not.
 * It returns a second function, which removes the placeholders. If calls overlap, a placeholder stays until the last call has
 * ended.
 */
export function createGitPlaceholders(): (paths: readonly string[]) => () => void {
  const users = new Map<string, number>();
  return (paths) => {
    const held = paths.filter((path) => users.has(path) || write(path));
    for (const path of held) users.set(path, (users.get(path) ?? 0) + 1);
    return () => {
      for (const path of held) {
        const left = (users.get(path) ?? 1) - 1;
        if (left > 0) users.set(path, left);
        else users.delete(path);
        moveReplaced(path);
        if (left > 0) write(path);
        else removeGitPlaceholder(path);
      }
    };
  };
}

/** Creates the placeholder. Returns false if its folder is absent, or if the path exists and is not a placeholder link. */
function write(path: string): boolean {
  const { kind, content } = placeholders[basename(path)] ?? { kind: "file", content: "" };
  if (lstatSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  try {
    if (kind === "link") symlinkSync(content, path);
    else writeFileSync(path, content, { flag: "wx", mode: 0o444 });
    return true;
  } catch (error) {
    // An existing file belongs to the repository and is closed as it is. Another process may have created the link.
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return isHeldByLink(path);
    throw error;
  }
}

/**
 * Renames a file or folder that a command has put in the place of a link. A command can remove the link, because no mount
 * protects it, and can write a rebase there. Git would run the commands of that rebase when somebody continues it. Git does not
 * read the new name.
 */
function moveReplaced(path: string): void {
  if (placeholders[basename(path)]?.kind !== "link" || isGitPlaceholder(path)) return;
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  let number = 1;
  while (lstatSync(`${path}.moved-${number}`, { throwIfNoEntry: false }) !== undefined) number += 1;
  renameSync(path, `${path}.moved-${number}`);
}

/** Removes the placeholder at the path, if there is one. Never throws. */
export function removeGitPlaceholder(path: string): void {
  try {
    if (isGitPlaceholder(path)) unlinkSync(path);
  } catch {
    // The placeholder is already gone.
  }
}

/** Returns true if the path is what the sandbox creates there while a command runs. Git reads nothing from it. */
export function isGitPlaceholder(path: string): boolean {
  const { kind, content } = placeholders[basename(path)] ?? { kind: "file", content: "" };
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (kind === "link") return stats?.isSymbolicLink() === true && readlinkSync(path) === content;
  return stats?.isFile() === true && stats.size === content.length && readFileSync(path, "utf8") === content;
}
