/**
 * Opens files and folders for all tools. Checks every path, and turns it into an open file or folder inside the workspace, or
 * inside a folder that the person added to it.
 */
import { readdirSync } from "node:fs";
import { isAbsolute } from "node:path";
import { found, type Outcome } from "../outcome.ts";
import { type AddedFolders, atHome, joinedFolders, openDoor, openFurther } from "./added-folders.ts";
import type { Door } from "./door.ts";
import { locate, locateEntry } from "./locate.ts";
import { makeDirectory } from "./make-directory.ts";
import { openDirectory, openEntry, openFile } from "./open-place.ts";
import { openTarget } from "./open-target.ts";
import { onlyPermitted } from "./permits.ts";
import { permitsOf, type Reach, reachPath, renamed, renamedEntry } from "./reach-path.ts";
import { takeNames, withRoot } from "./take-names.ts";
import type { Permits, Workspace } from "./workspace.ts";

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
