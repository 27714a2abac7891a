/** Holds the folders that the person adds to a session beside the workspace. Each has its own door, as the workspace has. */
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { relativeForm } from "./check-path.ts";
import { hasDescriptorPaths, openDescriptorDoor } from "./descriptor-door.ts";
import { type Door, pathInside } from "./door.ts";
import { openRealPathDoor } from "./real-path-door.ts";
import type { AddedFolder } from "./workspace.ts";

/** An added folder with a path in it. */
export interface FoundFolder {
  readonly folder: AddedFolder;
  readonly door: Door;
  /** The path relative to the folder, empty for the folder itself. */
  readonly path: string;
}

export interface AddedFolders {
  list(): readonly AddedFolder[];
  /** Opens the folder, or takes its new trust if it is open. Throws the system's error. `root` is a real path. */
  add(folder: AddedFolder): void;
  /** Closes the folder. Returns false if it was not added. */
  remove(root: string): boolean;
  /** Returns the folder in which a path is by its text: an absolute path, or one that begins with `~`. */
  find(path: string): FoundFolder | undefined;
  /** Returns the folder in which a physical path is. */
  holding(path: string): FoundFolder | undefined;
  close(): void;
}

export interface AddedFoldersOptions {
  /** See `WorkspaceOptions`. */
  readonly door?: "descriptor" | "real-path";
  /** Absolute paths of folders that no tool may access, even in an added folder. */
  readonly closed?: readonly string[];
}

export function createAddedFolders(options: AddedFoldersOptions = {}): AddedFolders {
  const opened = new Map<string, { readonly folder: AddedFolder; readonly door: Door }>();
  const firstOf = (inside: (root: string) => string | undefined): FoundFolder | undefined => {
    for (const { folder, door } of opened.values()) {
      const path = inside(folder.root);
      if (path !== undefined) return { folder, door, path };
    }
    return undefined;
  };
  return {
    list: () => [...opened.values()].map(({ folder }) => folder),
    add(folder) {
      const door = opened.get(folder.root)?.door ?? openDoor(folder.root, options);
      opened.set(folder.root, { folder, door });
    },
    remove(root) {
      opened.get(root)?.door.close();
      return opened.delete(root);
    },
    find(path) {
      if (opened.size === 0) return undefined;
      const absolute = atHome(path);
      return absolute.startsWith("/") || process.platform === "win32"
        ? firstOf((root) => relativeForm(absolute, root))
        : undefined;
    },
    holding: (path) => firstOf((root) => pathInside(root, path)),
    close() {
      for (const { door } of opened.values()) door.close();
      opened.clear();
    },
  };
}

/** Opens those of the folders that are still there under their real paths. */
export function openFurther(roots: readonly string[], options: AddedFoldersOptions): AddedFolders {
  const further = createAddedFolders(options);
  for (const root of roots) {
    try {
      if (realpathSync(root) === root) further.add({ root, trusted: false, writable: true });
    } catch {
      // What was changed in a folder that is gone cannot be undone.
    }
  }
  return further;
}

/** Returns the folders of both. What is added or removed is added to and removed from `first`. */
export function joinedFolders(first: AddedFolders, second: AddedFolders): AddedFolders {
  return {
    ...first,
    list: () => [...first.list(), ...second.list()],
    find: (path) => first.find(path) ?? second.find(path),
    holding: (path) => first.holding(path) ?? second.holding(path),
  };
}

/** Opens the door of a folder. Throws the system's error. */
export function openDoor(root: string, { door, closed }: AddedFoldersOptions): Door {
  const kind = door ?? (hasDescriptorPaths() ? "descriptor" : "real-path");
  return (kind === "descriptor" ? openDescriptorDoor : openRealPathDoor)(root, closed);
}

/** Returns the path with the home folder in place of a leading `~`. */
export function atHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}
