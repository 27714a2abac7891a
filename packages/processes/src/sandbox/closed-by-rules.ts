/** Finds paths of the workspace that rules deny or ask about. The sandbox closes those that a command does not name. */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, isAbsolute, resolve } from "node:path";
import type { ClosedPlaces } from "@localharness/engine";
import { pathInside } from "@localharness/workspace/paths/door";
import { isFolderAt, statsAt } from "@localharness/workspace/paths/stats-at";

/** Paths relative to the workspace, or absolute in an added folder. What is below them is closed too. */
export interface ClosedByRules {
  readonly unreadable: readonly string[];
  /** A path in this list may be absent, but its folder exists. */
  readonly unwritable: readonly string[];
}

type Access = "read" | "write";

/** The maximum number of closed paths. The call of the sandbox would become too long with more. */
export const maxClosed = 300;
/** The maximum number of folders that are searched for paths which a pattern matches. */
export const maxSearched = 20_000;

/** The folders that are not searched for paths which a pattern matches. A rule can still close such a folder as a whole. */
const unsearched: readonly string[] = [".git", "node_modules"];

/**
 * Resolves to the closed paths in the workspace and in the added folders, whose real paths are in `added`. Rejects for more than `maxClosed` paths, or more than `maxSearched`
 * folders to search.
 */
export async function closedByRules(
  workspace: string,
  places: ClosedPlaces | undefined,
  added: readonly string[] = [],
): Promise<ClosedByRules> {
  if (places === undefined) return { unreadable: [], unwritable: [] };
  const { unreadable, unwritable } = await existingPaths(workspace, added, places);
  const isMeant = (path: string) => !isAbsolute(path) || added.some((root) => pathInside(root, path));
  const absent = places.beginnings.filter(
    (path) =>
      isMeant(path) &&
      places.closes(path, "write") &&
      isFolderAt(resolve(workspace, dirname(path))) &&
      isAbsent(resolve(workspace, path)),
  );
  const all = unreadable.length + unwritable.length + absent.length;
  if (all > maxClosed) throw new Error(tooMany(`the rules for paths match ${all} files and folders`));
  return { unreadable, unwritable: [...unwritable, ...absent] };
}

/** A folder to search, and the accesses for which the folder is open but may contain closed paths. */
interface Searched {
  readonly path: string;
  readonly accesses: readonly Access[];
}

/** Resolves to the existing paths that are closed, without what is below them. */
async function existingPaths(
  workspace: string,
  added: readonly string[],
  { closes, mayHold }: ClosedPlaces,
): Promise<ClosedByRules> {
  const found: Record<Access, string[]> = { read: [], write: [] };
  const folders: Searched[] = [];
  /** Notes what is closed at this path. Returns the accesses for which paths below it may be closed. */
  const takeAt = (path: string, accesses: readonly Access[]) => {
    const closed = accesses.filter((access) => closes(path, access));
    for (const access of closed) found[access].push(path);
    return accesses.filter((access) => !closed.includes(access) && mayHold(path, access));
  };
  // The workspace itself stays readable, because the command runs in it. A rule that denies reading it hides what is below.
  folders.push({
    path: ".",
    accesses: [...takeAt(".", ["write"]), ...(mayHold(".", "read") ? ["read" as const] : [])],
  });
  for (const path of added) folders.push({ path, accesses: takeAt(path, ["read", "write"]) });
  for (let index = 0; index < folders.length; index += 1) {
    const { path: folder, accesses } = folders[index] ?? { path: ".", accesses: [] };
    if (accesses.length === 0) continue;
    if (index > maxSearched) throw new Error(tooMany(`a pattern of a rule may match in ${index} folders`));
    for (const entry of await entriesOf(resolve(workspace, folder))) {
      const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
      const below = takeAt(path, accesses);
      if (below.length > 0 && isSearched(entry)) folders.push({ path, accesses: below });
    }
  }
  return { unreadable: found.read, unwritable: found.write };
}

function isSearched(entry: Dirent): boolean {
  return entry.isDirectory() && !unsearched.includes(entry.name);
}

function isAbsent(path: string): boolean {
  return statsAt(path) === undefined;
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return await readdir(folder, { withFileTypes: true }).catch(() => []);
}

function tooMany(found: string): string {
  return `${found}, more than it can close for a command. Rules that name folders need less`;
}
