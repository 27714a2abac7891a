/** Opens files and folders for all tools. Checks every path, and turns it into an open file or folder inside the workspace. */
import { readdirSync } from "node:fs";
import type { Outcome } from "../outcome.ts";
import { checkPath } from "./check-path.ts";
import { hasDescriptorPaths, openDescriptorDoor } from "./descriptor-door.ts";
import type { Door } from "./door.ts";
import type { Directory, Entry, OpenFile } from "./handles.ts";
import { locate, locateEntry, type Place } from "./locate.ts";
import { makeDirectory } from "./make-directory.ts";
import { openDirectory, openEntry, openFile } from "./open-place.ts";
import { openTarget } from "./open-target.ts";
import { onlyPermitted, type Permits } from "./permits.ts";
import { openRealPathDoor } from "./real-path-door.ts";

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
  /** Resolves a path without opening it. A path that does not exist is resolved as far as it exists. */
  locate(path: string): Outcome<Place>;
  /** Resolves a path as `locate` does, but does not follow a link at its end. Fails for the root. */
  locateEntry(path: string): Outcome<Place>;
  /** Returns true if the folder is or contains a folder that no tool may access. The path is physical (without links). */
  holdsClosed(path: string): boolean;
  /** Returns a view of this workspace that opens and creates only what `permits` accepts. Closing the view does nothing. */
  limitedTo(permits: Permits): Workspace;
  close(): void;
}

export interface WorkspaceOptions {
  /** Tests set `real-path` to use the implementation for systems without descriptor paths. */
  readonly door?: "descriptor" | "real-path";
  /** Absolute paths of folders that no tool may access even inside the workspace, such as the folder of the permissions. */
  readonly closed?: readonly string[];
}

/** Opens the workspace. Rejects with the system's error if `root` is not a folder or cannot be opened. */
export async function openWorkspace(root: string, options: WorkspaceOptions = {}): Promise<Workspace> {
  const kind = options.door ?? (hasDescriptorPaths() ? "descriptor" : "real-path");
  const open = kind === "descriptor" ? openDescriptorDoor : openRealPathDoor;
  const door = open(root, options.closed);
  readdirSync(door.root, { withFileTypes: true });
  return { ...createWorkspace(door, () => true), close: () => door.close() };
}

function createWorkspace(door: Door, permits: Permits): Workspace {
  const at = <T>(path: string, next: (segments: readonly string[]) => Outcome<T>): Outcome<T> => {
    const checked = checkPath(path, door.root);
    return checked.ok ? next(checked.value) : checked;
  };
  return {
    root: door.root,
    processBase: door.processBase,
    openDirectory: (path) =>
      onlyPermitted(
        permits,
        path,
        at(path, (segments) => openDirectory(door, segments, path)),
      ),
    openFile: (path) =>
      onlyPermitted(
        permits,
        path,
        at(path, (segments) => openFile(door, segments, path)),
      ),
    openEntry: (path) =>
      onlyPermitted(
        permits,
        path,
        at(path, (segments) => openEntry(door, segments, path)),
      ),
    openTarget: (path, { createFolders }) =>
      onlyPermitted(
        permits,
        path,
        at(path, (segments) => openTarget(door, segments, path, createFolders ? permits : undefined)),
      ),
    makeDirectory: (path) => at(path, (segments) => makeDirectory(door, segments, path, permits)),
    locate: (path) => at(path, (segments) => locate(door, segments, path)),
    locateEntry: (path) => at(path, (segments) => locateEntry(door, segments, path)),
    holdsClosed: (path) => door.holdsClosed(path),
    limitedTo: (others) => createWorkspace(door, others),
    close: () => {},
  };
}
