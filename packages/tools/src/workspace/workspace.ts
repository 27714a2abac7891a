/** The one door to files: every path of every tool goes through here and comes out as something open. */
import { mkdirSync, readdirSync } from "node:fs";
import { basename } from "node:path";
import { errorCode, type Failure, found, type Outcome, refused, systemFailure } from "../outcome.ts";
import { checkPath } from "./check-path.ts";
import { hasDescriptorPaths, openDescriptorDoor } from "./descriptor-door.ts";
import type { Door, Probe } from "./door.ts";
import {
  type Directory,
  directoryOf,
  type Entry,
  entryOf,
  type OpenFile,
  openHeldFile,
  refuseUnlessFile,
} from "./handles.ts";
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
  close(): void;
}

export interface WorkspaceOptions {
  /** `real-path` forces the form of systems without paths of descriptors. For tests. */
  readonly door?: "descriptor" | "real-path";
}

/** Rejects with the system's error when `root` is not a folder that can be opened. */
export async function openWorkspace(root: string, options: WorkspaceOptions = {}): Promise<Workspace> {
  const kind = options.door ?? (hasDescriptorPaths() ? "descriptor" : "real-path");
  const door = kind === "descriptor" ? openDescriptorDoor(root) : openRealPathDoor(root);
  readdirSync(door.root, { withFileTypes: true });
  const segmentsOf = (path: string) => checkPath(path, door.root);
  return {
    root: door.root,
    processBase: door.processBase,
    openDirectory: (path) =>
      withSegments(segmentsOf(path), (segments) => openDirectory(door, segments, path)),
    openFile: (path) => withSegments(segmentsOf(path), (segments) => openFile(door, segments, path)),
    openEntry: (path) => withSegments(segmentsOf(path), (segments) => openEntry(door, segments, path)),
    openTarget: (path, { createFolders }) =>
      withSegments(segmentsOf(path), (segments) => openTarget(door, segments, path, createFolders)),
    makeDirectory: (path) =>
      withSegments(segmentsOf(path), (segments) => makeDirectory(door, segments, path)),
    close: () => door.close(),
  };
}

function withSegments<T>(
  checked: Outcome<readonly string[]>,
  next: (segments: readonly string[]) => Outcome<T>,
): Outcome<T> {
  return checked.ok ? next(checked.value) : checked;
}

function openDirectory(door: Door, segments: readonly string[], shown: string): Outcome<Directory> {
  const probe = door.probe(segments.join("/"));
  if (probe.kind !== "inside") {
    return probeFailure(probe, shown);
  }
  if (!probe.hold.stats.isDirectory()) {
    probe.hold.close();
    return refused("io_error", `"${shown}" is a file, a folder was expected. Use read_file to read it.`);
  }
  return found(directoryOf(probe.path, probe.hold));
}

function openFile(door: Door, segments: readonly string[], shown: string): Outcome<OpenFile> {
  const probe = door.probe(segments.join("/"));
  return probe.kind === "inside" ? openHeldFile(probe.path, probe.hold, shown) : probeFailure(probe, shown);
}

function openEntry(door: Door, segments: readonly string[], shown: string): Outcome<Entry> {
  const name = segments.at(-1);
  if (name === undefined || name === "..") {
    return refused("validation_failed", `"${shown}" must end in the name of something inside the workspace.`);
  }
  const directory = openDirectory(door, segments.slice(0, -1), shown);
  return directory.ok ? entryIn(directory.value, name, shown) : directory;
}

/** Takes over the directory. */
function entryIn(directory: Directory, name: string, shown: string): Outcome<Entry> {
  try {
    return found(entryOf(directory, name));
  } catch (error) {
    directory[Symbol.dispose]();
    return systemFailure(error, shown);
  }
}

function openTarget(
  door: Door,
  segments: readonly string[],
  shown: string,
  createFolders: boolean,
): Outcome<Entry> {
  const probe = door.probe(segments.join("/"));
  if (probe.kind === "inside") {
    probe.hold.close();
    const wrongKind = refuseUnlessFile(probe.hold.stats, shown);
    return wrongKind ?? freeOrFile(openEntry(door, probe.path.split("/"), shown), shown);
  }
  if (probe.kind === "outside" || errorCode(probe.error) !== "ENOENT") {
    return probeFailure(probe, shown);
  }
  const folders = segments.slice(0, -1);
  if (createFolders && segments.at(-1) !== "..") {
    const made = makeDirectory(door, folders, shown);
    if (!made.ok) {
      return made;
    }
  }
  return freeOrFile(openEntry(door, segments, shown), shown);
}

/** What sits at the name now must be a file or nothing: a link there leads nowhere, or came in meanwhile. */
function freeOrFile(entry: Outcome<Entry>, shown: string): Outcome<Entry> {
  if (!entry.ok || entry.value.stats === undefined || entry.value.stats.isFile()) {
    return entry;
  }
  const { stats } = entry.value;
  entry.value[Symbol.dispose]();
  if (stats.isSymbolicLink()) {
    return refused(
      "validation_failed",
      `"${shown}" is a link that leads nowhere or out of the workspace. Remove it first.`,
    );
  }
  return refuseUnlessFile(stats, shown) ?? entry;
}

function makeDirectory(
  door: Door,
  segments: readonly string[],
  shown: string,
): Outcome<{ readonly path: string; readonly created: number }> {
  let depth = segments.length;
  let directory = openDirectory(door, segments, shown);
  while (!directory.ok && directory.errorType === "not_found" && depth > 0) {
    depth -= 1;
    directory = openDirectory(door, segments.slice(0, depth), shown);
  }
  const missing = segments.length - depth;
  for (const [index, name] of segments.slice(depth).entries()) {
    if (!directory.ok) {
      return directory;
    }
    directory = makeOne(door, directory.value, name, segments.slice(0, depth + index + 1), shown);
  }
  if (!directory.ok) {
    return directory;
  }
  directory.value[Symbol.dispose]();
  return found({ path: directory.value.path, created: missing });
}

/** Makes one folder and opens it. Takes over the parent. */
function makeOne(
  door: Door,
  parent: Directory,
  name: string,
  segments: readonly string[],
  shown: string,
): Outcome<Directory> {
  try {
    if (name === "..") {
      return refused("not_found", `"${shown}" goes up from a folder that does not exist.`);
    }
    mkdirSync(parent.at(name));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") {
      return systemFailure(error, shown);
    }
  } finally {
    parent[Symbol.dispose]();
  }
  const made = openDirectory(door, segments, shown);
  if (!made.ok && made.errorType === "not_found") {
    return refused(
      "validation_failed",
      `"${basename(name)}" in "${shown}" is a link that leads nowhere. Remove it first.`,
    );
  }
  return made;
}

function probeFailure(probe: Exclude<Probe, { kind: "inside" }>, shown: string): Failure {
  if (probe.kind === "error") {
    return systemFailure(probe.error, shown);
  }
  return refused(
    "validation_failed",
    `"${shown}" leads out of the workspace through a link. Only files inside the workspace can be used.`,
  );
}
