/** Finds the paths of the workspace that rules deny, so that the sandbox closes them for a command that does not name them. */
import { type Dirent, lstatSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ClosedPlaces } from "@localharness/engine";

/** Paths relative to the workspace. What is below them is closed too. */
export interface ClosedByRules {
  readonly unreadable: readonly string[];
  /** Some of them may be absent; their folders exist. */
  readonly unwritable: readonly string[];
}

type Access = "read" | "write";

/** The maximum number of closed paths. The call of the sandbox would become too long with more. */
export const maxClosed = 300;
/** The maximum number of folders in which a pattern is searched. */
export const maxSearched = 20_000;

/** Patterns do not search these folders. A rule that names one of them closes it. */
const unsearched: readonly string[] = [".git", "node_modules"];

/** Resolves to the paths. Rejects if the sandbox cannot close all of them. */
export async function closedByRules(
  workspace: string,
  places: ClosedPlaces | undefined,
): Promise<ClosedByRules> {
  if (places === undefined) return { unreadable: [], unwritable: [] };
  const { unreadable, unwritable } = await existingPaths(workspace, places);
  const absent = places.beginnings.filter(
    (path) =>
      places.closes(path, "write") &&
      isFolder(join(workspace, dirname(path))) &&
      isAbsent(join(workspace, path)),
  );
  const all = unreadable.length + unwritable.length + absent.length;
  if (all > maxClosed) throw new Error(tooMany(`the rules for paths match ${all} files and folders`));
  return { unreadable, unwritable: [...unwritable, ...absent] };
}

/** A folder to search, and the accesses for which it is not closed itself and may hold closed paths. */
interface Searched {
  readonly path: string;
  readonly accesses: readonly Access[];
}

/** Resolves to the existing paths that are closed, without what is below them. */
async function existingPaths(workspace: string, { closes, mayHold }: ClosedPlaces): Promise<ClosedByRules> {
  const found: Record<Access, string[]> = { read: [], write: [] };
  const folders: Searched[] = [];
  /** Notes what is closed at this path. Returns the accesses for which paths below it may be closed. */
  const takeAt = (path: string, accesses: readonly Access[]) => {
    const closed = accesses.filter((access) => closes(path, access));
    for (const access of closed) found[access].push(path);
    return accesses.filter((access) => !closed.includes(access) && mayHold(path, access));
  };
  // The workspace itself stays readable, because the command runs in it. All that it has is hidden.
  folders.push({
    path: ".",
    accesses: [...takeAt(".", ["write"]), ...(mayHold(".", "read") ? ["read" as const] : [])],
  });
  for (let index = 0; index < folders.length; index += 1) {
    const { path: folder, accesses } = folders[index] ?? { path: ".", accesses: [] };
    if (accesses.length === 0) continue;
    if (index > maxSearched) throw new Error(tooMany(`a pattern of a rule may match in ${index} folders`));
    for (const entry of await entriesOf(join(workspace, folder))) {
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

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isAbsent(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined;
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return await readdir(folder, { withFileTypes: true }).catch(() => []);
}

function tooMany(found: string): string {
  return `${found}, more than it can close for a command. Rules that name folders need less`;
}
