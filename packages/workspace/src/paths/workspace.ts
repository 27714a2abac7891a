/**
 * Opens files and folders for all tools. Checks every path, and turns it into an open file or folder inside the workspace, or
 * inside a folder that the person added to it.
 */
import { readdirSync } from "node:fs";
import { isAbsolute } from "node:path";
import { found, type Outcome } from "../outcome.ts";
import {
  type AddedFolder,
  type AddedFolders,
  atHome,
  joinedFolders,
  openDoor,
  openFurther,
} from "./added-folders.ts";
import type { Door } from "./door.ts";
import type { Directory, Entry, OpenFile } from "./handles.ts";
import { locate, locateEntry, type Place } from "./locate.ts";
import { makeDirectory } from "./make-directory.ts";
import { openDirectory, openEntry, openFile } from "./open-place.ts";
import { openTarget } from "./open-target.ts";
import { onlyPermitted, type Permits } from "./permits.ts";
import { permitsOf, type Reach, reachPath, renamed, renamedEntry } from "./reach-path.ts";
import { takeNames, withRoot } from "./take-names.ts";

/** The folder that has a physical path, and the path in it. */
export interface PlaceInFolder {
  /** The real path of the workspace or of an added folder. */
  readonly root: string;
  /** The path relative to the root; a path that is in neither stays as it is. */
  readonly path: string;
  /** Present if an added folder has the path. */
  readonly added?: AddedFolder;
}

/**
 * A path without links is relative to the root in the workspace, and absolute in an added folder. A relative path means the
 * workspace.
 */
export interface Workspace {
  /** Real path of the root. */
  readonly root: string;
  /** The root as a working directory for child processes; on Linux it stays the same folder if the root is renamed. */
  readonly processBase: string;
  /** Opens an existing folder. Follows links that stay inside. */
  openDirectory(path: string): Outcome<Directory>;
  /** Opens an existing regular file for reading. Follows links that stay inside. */
  openFile(path: string): Outcome<OpenFile>;
  /** Opens the entry itself without following a link. Its folder must exist. Fails for the root. */
  openEntry(path: string): Outcome<Entry>;
  /**
   * Opens the place where a file will be written: an existing regular file (found through links that stay inside) or a
   * free name. `createFolders` creates missing parent folders.
   */
  openTarget(path: string, options: { readonly createFolders: boolean }): Outcome<Entry>;
  /** Creates the folder and its missing parents. `created` is the number of new folders. */
  makeDirectory(path: string): Outcome<{ readonly path: string; readonly created: number }>;
  /**
   * Returns the path with the names of the existing files and folders that it means, if it is written with other characters that
   * look the same; else the path itself. Fails if several names look like an absent one. Only paths from the model and the person
   * are read like that: all other methods take names as they are.
   */
  takeNames(path: string): Outcome<string>;
  /** Resolves a path without opening it. A path that does not exist is resolved as far as it exists. */
  locate(path: string): Outcome<Place>;
  /** Resolves a path as `locate` does, but does not follow a link at its end. Fails for the root. */
  locateEntry(path: string): Outcome<Place>;
  /** Returns true if the folder is or contains a folder that no tool may access. The path is physical (without links). */
  holdsClosed(path: string): boolean;
  /** Returns the folder that has a physical path. */
  placeOf(path: string): PlaceInFolder;
  /** Returns the path as text, absolute if it begins with `~` and is in an added folder. */
  spelled(path: string): string;
  /** Returns the folders that the person added. */
  added(): readonly AddedFolder[];
  /** Returns a view of this workspace that opens and creates only what `permits` accepts. Closing the view does nothing. */
  limitedTo(permits: Permits): Workspace;
  /**
   * Returns a view of this workspace that also reaches these folders, for undo: they were added when their files were changed. A folder
   * that is gone, or whose place a link has taken, is left out. Closing the view closes the folders.
   */
  reaching(roots: readonly string[]): Workspace;
  close(): void;
}

export interface WorkspaceOptions {
  /** Tests set `real-path` to use the implementation for systems without descriptor paths. */
  readonly door?: "descriptor" | "real-path";
  /** Absolute paths of folders that no tool may access even inside the workspace, such as the folder of the permissions. */
  readonly closed?: readonly string[];
  /** The folders beside the workspace, which may change while it is open. */
  readonly added?: AddedFolders;
}

/** Opens the workspace. Rejects with the system's error if `root` is not a folder or cannot be opened. */
export async function openWorkspace(root: string, options: WorkspaceOptions = {}): Promise<Workspace> {
  const door = openDoor(root, options);
  readdirSync(door.root, { withFileTypes: true });
  return { ...createWorkspace(door, () => true, options), close: () => door.close() };
}

function createWorkspace(door: Door, permits: Permits, options: WorkspaceOptions): Workspace {
  const { added } = options;
  const at = <T>(path: string, next: (reach: Reach) => Outcome<T>): Outcome<T> => {
    const reach = reachPath(path, door, added);
    return reach.ok ? next(reach.value) : reach;
  };
  const opening = <T extends { readonly path: string } & Disposable>(
    path: string,
    open: (reach: Reach) => Outcome<T>,
  ): Outcome<T> => onlyPermitted(permits, path, at(path, open));
  return {
    root: door.root,
    processBase: door.processBase,
    openDirectory: (path) =>
      opening(path, (reach) => renamed(openDirectory(reach.door, reach.segments, path), reach)),
    openFile: (path) => opening(path, (reach) => renamed(openFile(reach.door, reach.segments, path), reach)),
    openEntry: (path) =>
      opening(path, (reach) => renamedEntry(openEntry(reach.door, reach.segments, path), reach)),
    openTarget: (path, { createFolders }) =>
      opening(path, (reach) => {
        const making = createFolders ? permitsOf(permits, reach) : undefined;
        return renamedEntry(openTarget(reach.door, reach.segments, path, making), reach);
      }),
    makeDirectory: (path) =>
      at(path, (reach) =>
        renamed(makeDirectory(reach.door, reach.segments, path, permitsOf(permits, reach)), reach),
      ),
    takeNames: (path) => taken(path, door, added),
    locate: (path) => at(path, (reach) => renamed(locate(reach.door, reach.segments, path), reach)),
    locateEntry: (path) => at(path, (reach) => renamed(locateEntry(reach.door, reach.segments, path), reach)),
    holdsClosed: (path) => {
      const place = added?.holding(path);
      return place === undefined ? door.holdsClosed(path) : place.door.holdsClosed(place.path);
    },
    placeOf: (path) => {
      const place = isAbsolute(path) ? added?.holding(path) : undefined;
      if (place === undefined) return { root: door.root, path };
      return { root: place.folder.root, path: place.path === "" ? "." : place.path, added: place.folder };
    },
    spelled: (path) => (added?.find(path) === undefined ? path : atHome(path)),
    added: () => added?.list() ?? [],
    limitedTo: (others) => createWorkspace(door, others, options),
    reaching: (roots) => {
      const further = openFurther(roots, options);
      const reaches = { ...options, added: added === undefined ? further : joinedFolders(added, further) };
      return { ...createWorkspace(door, permits, reaches), close: () => further.close() };
    },
    close: () => {},
  };
}

function taken(path: string, door: Door, added: AddedFolders | undefined): Outcome<string> {
  const rooted = added?.find(path) === undefined ? withRoot(path, door.root) : path;
  const reach = reachPath(rooted, door, added);
  if (!reach.ok) return found(path);
  const { segments, named } = reach.value;
  const names = takeNames(reach.value.door, segments, path);
  if (!names.ok) return names;
  const isSame = names.value.every((name, index) => name === segments[index]);
  return found(isSame ? rooted : named(names.value.join("/")));
}
