/** Declares the workspace: the checked way to open files and folders, which all tools take. */
import type { Stats } from "node:fs";
import type { Outcome } from "../outcome.ts";
import type { Directory, Entry, OpenFile } from "./handles.ts";

/** A folder that the person added to the workspace. */
export interface AddedFolder {
  /** The real path. */
  readonly root: string;
  /** True if the person trusts the folder, so that its ordinary files are read without a question. */
  readonly trusted: boolean;
  /** False for a folder in which nothing may be changed. */
  readonly writable: boolean;
}

/** The folder that has a physical path, and the path in it. */
export interface PlaceInFolder {
  /** The real path of the workspace or of an added folder. */
  readonly root: string;
  /** The path relative to the root; a path that is in neither stays as it is. */
  readonly path: string;
  /** Present if an added folder has the path. */
  readonly added?: AddedFolder;
}

/** An existing or absent path without links, as `locate` finds it. */
export interface Place {
  /** Physical path relative to the root, `.` for the root itself. */
  readonly path: string;
  /** The stats of the path; undefined if nothing exists there. */
  readonly stats: Stats | undefined;
}

/**
 * Returns true if a call may use the path to which its argument was resolved. The path is physical (without links) and relative
 * to the root. `onTheWay` is true for a parent folder that would be created.
 */
export type Permits = (path: string, onTheWay: boolean) => boolean;

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
