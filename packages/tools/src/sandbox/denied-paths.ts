/** Finds the paths of the workspace that rules deny, so that the sandbox closes them for a command that does not name them. */
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ClosedPlaces } from "@localharness/engine";

/** Paths relative to the workspace. What is below them is closed too. */
export interface DeniedPaths {
  readonly unreadable: readonly string[];
  /** Some of them may be absent; their folders exist. */
  readonly unwritable: readonly string[];
}

type Access = "read" | "write";

/** The maximum number of closed paths. The call of the sandbox would become too long with more. */
export const maxDenied = 300;
/** The maximum number of folders in which a pattern is searched. */
export const maxSearched = 20_000;

/** Patterns do not search these folders. A rule that names one of them closes it. */
const unsearched: readonly string[] = [".git", "node_modules"];

/** Returns the paths. Throws if the sandbox cannot close all of them. */
export function deniedPaths(workspace: string, places: ClosedPlaces | undefined): DeniedPaths {
  if (places === undefined) return { unreadable: [], unwritable: [] };
  const unreadable = existingPaths(workspace, places, "read");
  const unwritable = existingPaths(workspace, places, "write");
  const absent = places.beginnings.filter(
    (path) =>
      places.closes(path, "write") &&
      isFolder(join(workspace, dirname(path))) &&
      lstatSync(join(workspace, path), { throwIfNoEntry: false }) === undefined,
  );
  const all = unreadable.length + unwritable.length + absent.length;
  if (all > maxDenied) throw new Error(tooMany(`the rules for paths match ${all} files and folders`));
  return { unreadable, unwritable: [...unwritable, ...absent] };
}

/** Returns the existing paths that are closed for this access, without what is below them. */
function existingPaths(
  workspace: string,
  { closes, mayHold }: ClosedPlaces,
  access: Access,
): readonly string[] {
  if (access === "write" && closes(".", access)) return ["."];
  const found: string[] = [];
  const folders = mayHold(".", access) ? ["."] : [];
  for (let index = 0; index < folders.length; index += 1) {
    const folder = folders[index] ?? ".";
    if (index > maxSearched) throw new Error(tooMany(`a pattern of a rule may match in ${index} folders`));
    for (const entry of entriesOf(join(workspace, folder))) {
      const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
      if (closes(path, access)) found.push(path);
      else if (isSearched(entry) && mayHold(path, access)) folders.push(path);
    }
  }
  return found;
}

function isSearched(entry: Dirent): boolean {
  return entry.isDirectory() && !unsearched.includes(entry.name);
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function tooMany(found: string): string {
  return `${found}, more than it can close for a command. Rules that name folders need less`;
}
