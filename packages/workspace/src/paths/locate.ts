/** Resolves the links in a path for the policy, before the tool opens anything. */
import { lstatSync } from "node:fs";
import { errorCode, found, type Outcome, refused, systemFailure } from "../outcome.ts";
import type { Door } from "./door.ts";
import { openEntry } from "./open-place.ts";
import { closedFailure, deadLinkFailure, probeFailure } from "./probe-failure.ts";
import type { Place } from "./workspace.ts";

/**
 * Returns the place of a path, following links. A path that does not exist is resolved as far as it exists. `shown` is the
 * path for messages.
 */
export function locate(door: Door, segments: readonly string[], shown: string): Outcome<Place> {
  const probe = door.probe(segments.join("/"));
  if (probe.kind === "inside") {
    probe.hold.close();
    return found({ path: probe.path === "" ? "." : probe.path, stats: probe.hold.stats });
  }
  if (probe.kind !== "error" || errorCode(probe.error) !== "ENOENT") return probeFailure(probe, shown);
  return locateMissing(door, segments, shown);
}

/** Resolves the deepest existing folder and appends the missing names. */
function locateMissing(door: Door, segments: readonly string[], shown: string): Outcome<Place> {
  for (let depth = segments.length - 1; depth >= 0; depth -= 1) {
    const probe = door.probe(segments.slice(0, depth).join("/"));
    if (probe.kind === "error" && errorCode(probe.error) === "ENOENT") continue;
    if (probe.kind !== "inside") return probeFailure(probe, shown);
    try {
      const rest = segments.slice(depth);
      if (rest.includes("..")) {
        return refused("not_found", `"${shown}" goes up from a folder that does not exist.`);
      }
      const next = lstatSync(`${probe.hold.base}/${rest[0]}`, { throwIfNoEntry: false });
      if (next?.isSymbolicLink() === true) return deadLinkFailure(shown);
      const path = [...(probe.path === "" ? [] : [probe.path]), ...rest].join("/");
      return door.isClosed(path) ? closedFailure(shown) : found({ path, stats: undefined });
    } catch (error) {
      return systemFailure(error, shown);
    } finally {
      probe.hold.close();
    }
  }
  return refused("not_found", "The workspace folder does not exist any more. Ask the person to look.");
}

/** Returns the place of a path as `locate` does, but does not follow a link at its end. Fails for the root. */
export function locateEntry(door: Door, segments: readonly string[], shown: string): Outcome<Place> {
  const entry = openEntry(door, segments, shown);
  if (!entry.ok) return entry.errorType === "not_found" ? locateMissing(door, segments, shown) : entry;
  entry.value[Symbol.dispose]();
  return found({ path: entry.value.path, stats: entry.value.stats });
}
