/** The one door to files: every path of every tool goes through here and comes out as something open. */
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
  /** The root as a working directory for child processes; it stays the same folder when the root is renamed. */
  readonly processBase: string;
  /** An existing folder; links that stay inside are followed. */
  openDirectory(path: string): Outcome<Directory>;
  /** An existing regular file, for reading; links that stay inside are followed. */
  openFile(path: string): Outcome<OpenFile>;
  /** The entry of that name itself: a link is not followed. Its folder must exist. Never the root. */
  openEntry(path: string): Outcome<Entry>;
  /**
   * Where a file is to be put: an existing regular file (found through links that stay inside) or a free name.
   * With `createFolders` missing folders on the way are made.
   */
  openTarget(path: string, options: { readonly createFolders: boolean }): Outcome<Entry>;
  /** Makes the folder and those above it. `created` counts what was not there. */
  makeDirectory(path: string): Outcome<{ readonly path: string; readonly created: number }>;
  /** Where a path leads, without opening what is there. What does not exist is placed below what does. */
  locate(path: string): Outcome<Place>;
  /** The same for the name itself: a link at the end is not followed. */
  locateEntry(path: string): Outcome<Place>;
  /** True for a folder (physical path) with one in it that no tool may touch. */
  holdsClosed(path: string): boolean;
  /** The same workspace, which refuses what `permits` does not name. Closing it is left to this one. */
  limitedTo(permits: Permits): Workspace;
  close(): void;
}

export interface WorkspaceOptions {
  /** `real-path` forces the form of systems without paths of descriptors. For tests. */
  readonly door?: "descriptor" | "real-path";
  /** Absolute folders that no tool may touch though they lie inside, such as the one that keeps the permissions. */
  readonly closed?: readonly string[];
}

/** Rejects with the system's error when `root` is not a folder that can be opened. */
export async function openWorkspace(root: string, options: WorkspaceOptions = {}): Promise<Workspace> {
  const kind = options.door ?? (hasDescriptorPaths() ? "descriptor" : "real-path");
  const open = kind === "descriptor" ? openDescriptorDoor : openRealPathDoor;
  const door = open(root, options.closed);
  readdirSync(door.root, { withFileTypes: true });
  return { ...workspaceBehind(door, () => true), close: () => door.close() };
}

function workspaceBehind(door: Door, permits: Permits): Workspace {
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
    limitedTo: (others) => workspaceBehind(door, others),
    close: () => {},
  };
}
