/** Opens the place where a file will be written: an existing regular file or a free name. */
import { errorCode, type Outcome } from "../outcome.ts";
import type { Door } from "./door.ts";
import { type Entry, refuseUnlessFile } from "./handles.ts";
import { makeDirectory } from "./make-directory.ts";
import { openEntry } from "./open-place.ts";
import { deadLinkFailure, probeFailure } from "./probe-failure.ts";
import type { Permits } from "./workspace.ts";

/**
 * Opens the file or the free name. If `making` is given, creates the missing folders that it permits. `shown` is for messages.
 */
export function openTarget(
  door: Door,
  segments: readonly string[],
  shown: string,
  making: Permits | undefined,
): Outcome<Entry> {
  const probe = door.probe(segments.join("/"));
  if (probe.kind === "inside") {
    probe.hold.close();
    const wrongKind = refuseUnlessFile(probe.hold.stats, shown);
    return wrongKind ?? freeOrFile(openEntry(door, probe.path.split("/"), shown), shown);
  }
  if (probe.kind !== "error" || errorCode(probe.error) !== "ENOENT") return probeFailure(probe, shown);
  const folders = segments.slice(0, -1);
  if (making !== undefined && segments.at(-1) !== "..") {
    const made = makeDirectory(door, folders, shown, (path) => making(path, true));
    if (!made.ok) return made;
  }
  return freeOrFile(openEntry(door, segments, shown), shown);
}

/**
 * Fails unless the entry is a regular file or does not exist. Links were resolved before, so a link here leads nowhere or
 * is new.
 */
function freeOrFile(entry: Outcome<Entry>, shown: string): Outcome<Entry> {
  if (!entry.ok || entry.value.stats === undefined || entry.value.stats.isFile()) return entry;
  const { stats } = entry.value;
  entry.value[Symbol.dispose]();
  if (stats.isSymbolicLink()) return deadLinkFailure(shown);
  return refuseUnlessFile(stats, shown) ?? entry;
}
