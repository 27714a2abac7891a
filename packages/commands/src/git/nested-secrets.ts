/**
 * Lists the files of secrets that a call of git may store in a repository other than that of the workspace's root: in one
 * below it, in one above it, or in one that the command makes. Git does not run there, because the repository may configure
 * programs.
 */
import { existsSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { type ListingParts, listFiles } from "@localharness/processes/search/list-files";
import { walkBelow } from "@localharness/workspace/files/walk-below";
import { secretName } from "@localharness/workspace/paths/secret-name";
import type { Workspace } from "@localharness/workspace/paths/workspace";

export interface NestedRequest {
  /** The folders in which the call may run, relative to the workspace; undefined if they are unknown. */
  readonly folders: readonly string[] | undefined;
  /** The files and folders that the call names, relative to the workspace; empty for all. */
  readonly named: readonly string[];
  /** True if the call stores ignored files too. */
  readonly ignored: boolean;
}

const maxFiles = 50_000;

/**
 * Resolves to the named files with names of secrets, relative to the workspace, among the first 50,000 files of each
 * repository but the root's. Without `ignored`, leaves out the files that the repository ignores. May be incomplete: with
 * unknown folders, looks neither into `node_modules` nor beyond 10,000 entries; a failed or slow listing is cut short.
 */
export async function nestedSecrets(
  resources: ListingParts,
  { folders, named, ignored }: NestedRequest,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { root } = resources.workspace;
  const homes =
    folders === undefined
      ? everyHome(resources)
      : folders.map((folder) => homeOf(resources.workspace, folder));
  const others = new Set(homes.filter((home) => home !== "." || !hasRepository(root, ".")));
  const isNamed = (path: string) =>
    named.length === 0 || named.some((one) => one === "." || path === one || path.startsWith(`${one}/`));
  const found: string[] = [];
  for (const home of others) {
    const { paths } = await listFiles(resources, maxFiles, signal, { below: home, ignored });
    const inWorkspace = paths.map((path) => (home === "." ? path : `${home}/${path}`));
    found.push(...inWorkspace.filter((path) => secretName(path, root) !== undefined && isNamed(path)));
  }
  return found;
}

function hasRepository(root: string, folder: string): boolean {
  return existsSync(join(resolve(root, folder), ".git"));
}

/**
 * Returns the folder with `.git` in which the folder is. Without one, returns `.`, and for a folder in an added folder that folder
 * itself.
 */
function homeOf(workspace: Workspace, folder: string): string {
  const { root } = workspace;
  let at = posix.normalize(folder);
  const top = workspace.placeOf(at).added?.root;
  if (top !== undefined) {
    while (at !== top && !hasRepository(root, at)) at = posix.dirname(at);
    return at;
  }
  while (at !== "." && !at.startsWith("..") && !posix.isAbsolute(at)) {
    if (hasRepository(root, at)) return at;
    at = posix.dirname(at);
  }
  return ".";
}

function everyHome({ workspace }: Pick<ListingParts, "workspace">): readonly string[] {
  const tops = [".", ...workspace.added().map(({ root }) => root)];
  const homes = [...tops];
  for (const top of tops) {
    walkBelow(workspace, top, (path, entry) => {
      if (entry.name === "node_modules") return "skip";
      if (entry.name !== ".git") return undefined;
      homes.push(posix.dirname(path));
      return "skip";
    });
  }
  return homes;
}
