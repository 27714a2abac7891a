/** Opens a folder, a file, or an entry of a folder from checked segments. */
import { found, type Outcome, refused, systemFailure } from "../outcome.ts";
import type { Door } from "./door.ts";
import { type Directory, directoryOf, type Entry, entryOf, type OpenFile, openHeldFile } from "./handles.ts";
import { closedFailure, probeFailure } from "./probe-failure.ts";

export function openDirectory(door: Door, segments: readonly string[], shown: string): Outcome<Directory> {
  const probe = door.probe(segments.join("/"));
  if (probe.kind !== "inside") return probeFailure(probe, shown);
  if (!probe.hold.stats.isDirectory()) {
    probe.hold.close();
    return refused("io_error", `"${shown}" is a file, a folder was expected. Use read_file to read it.`);
  }
  return found(directoryOf(probe.path, probe.hold));
}

export function openFile(door: Door, segments: readonly string[], shown: string): Outcome<OpenFile> {
  const probe = door.probe(segments.join("/"));
  return probe.kind === "inside" ? openHeldFile(probe.path, probe.hold, shown) : probeFailure(probe, shown);
}

export function openEntry(door: Door, segments: readonly string[], shown: string): Outcome<Entry> {
  const name = segments.at(-1);
  if (name === undefined || name === "..") {
    return refused("validation_failed", `"${shown}" must end in the name of something inside the workspace.`);
  }
  const directory = openDirectory(door, segments.slice(0, -1), shown);
  return directory.ok ? entryIn(door, directory.value, name, shown) : directory;
}

/** Returns the entry, unless it is in a closed folder. Takes ownership of the directory. */
function entryIn(door: Door, directory: Directory, name: string, shown: string): Outcome<Entry> {
  try {
    const entry = entryOf(directory, name);
    if (!door.isClosed(entry.path)) return found(entry);
    directory[Symbol.dispose]();
    return closedFailure(shown);
  } catch (error) {
    directory[Symbol.dispose]();
    return systemFailure(error, shown);
  }
}
