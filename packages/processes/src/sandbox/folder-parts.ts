/** Computes what a sandboxed command may write in one folder: the workspace, or a folder that the person added. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { livePaths } from "@localharness/workspace/git-files/live-paths";
import { closedNames, runtimeNames } from "./closed-names.ts";
import {
  innerWorktrees,
  type OuterRepository,
  outerRepository,
  repositoriesIn,
  rootOfRepository,
} from "./outer-repository.ts";

/** Absolute paths. */
export interface FolderParts extends OuterRepository {
  /** Paths of `readOnly` that git reads as files, even if they are absent. */
  readonly readFiles: readonly string[];
}

export interface ClosedInFolder {
  /** The closed names in subfolders, relative to the folder. */
  readonly nested: readonly string[];
  /** The absolute paths that rules close for writes. */
  readonly byRules: readonly string[];
}

/** Returns the parts. If rules close the whole folder for writes, no name in it has to be closed by itself. */
export function folderParts(folder: string, { nested, byRules }: ClosedInFolder): FolderParts {
  const live = [folder, ...repositoriesIn(folder, nested), ...rootsAbove(folder)]
    .flatMap(livePaths)
    .filter(({ path }) => isInside(path, folder) && path !== folder)
    .map(({ path, key }) => ({
      path: asFarAsThere(path),
      isFile: !namesFolder.test(key) && existsSync(dirname(path)),
    }));
  const readFiles = live.filter(({ isFile }) => isFile).map(({ path }) => path);
  if (byRules.includes(folder)) return { writable: [], readOnly: [folder], reopened: [], readFiles };
  const outer = outerRepository(folder);
  const names = [...closedNames(folder), ...runtimeNames(folder, process.cwd()), ...nested];
  const closed = [...new Set([...names.map((name) => join(folder, name)), ...byRules])];
  return {
    writable: [folder, ...outer.writable],
    readOnly: [...new Set([...closed, ...live.map(({ path }) => path)]), ...outer.readOnly],
    reopened: [...outer.reopened, ...innerWorktrees(folder, nested)],
    readFiles,
  };
}

/** Keys of git's configuration whose values are folders. */
const namesFolder = /^(?:core\.hookspath|init\.templatedir)$/;

function rootsAbove(folder: string): readonly string[] {
  const root = rootOfRepository(folder);
  return root === undefined || root === folder ? [] : [root];
}

/** Returns the path, or the first part of it that is absent. */
function asFarAsThere(path: string): string {
  let at = path;
  while (!existsSync(at) && !existsSync(dirname(at))) at = dirname(at);
  return at;
}

export function isInside(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}
