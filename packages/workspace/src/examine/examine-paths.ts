/** Computes the facts about a file tool's call before it runs: the paths it would touch, and the reasons to ask. */
import type { Stats } from "node:fs";
import { isAbsolute, posix, resolve, sep } from "node:path";
import type { CallFacts, Concern, TouchedPath } from "@localharness/engine";
import { livePathOf } from "../git-files/live-paths.ts";
import type { Failure } from "../outcome.ts";
import { atHome } from "../paths/added-folders.ts";
import { pathInside } from "../paths/door.ts";
import { isOrdinaryIn } from "../paths/ordinary.ts";
import { protectedName, protectedRow } from "../paths/protected.ts";
import { secretName } from "../paths/secret-name.ts";
import { holdsWhole } from "../paths/whole-places.ts";
import type { PlaceInFolder, Workspace } from "../paths/workspace.ts";
import type { PlannedTouch } from "./planned-touch.ts";
import { protectedByRow, protectedConcern, protectedText } from "./protected-concern.ts";
import { secretConcern, writtenSecret, writtenSecretConcern } from "./secret-concerns.ts";

/** Returns the facts about these paths. Never throws; an unusable path becomes a reason to deny. */
export function examinePaths(workspace: Workspace, touches: readonly PlannedTouch[]): CallFacts {
  const paths: TouchedPath[] = [];
  const concerns = new Map<string, Concern>();
  const seen: string[] = [];
  for (const touch of touches) {
    const place = touch.entry === true ? workspace.locateEntry(touch.path) : workspace.locate(touch.path);
    if (!place.ok && isRefusal(place)) {
      concerns.set("path", { id: "path", decision: "deny", reason: place.message });
      continue;
    }
    const asked = plainPath(workspace.spelled(touch.path), workspace.root);
    const physical = place.ok ? place.value.path : asked;
    seen.push(markOf(place.ok ? place.value.stats : undefined, touch));
    for (const path of new Set([physical, asked])) {
      const below = touch.below === true ? ({ below: true } as const) : {};
      paths.push({ path, access: touch.access, ...below, ...(place.ok ? addedMark(workspace, path) : {}) });
      for (const concern of concernsAbout(workspace, path, touch)) concerns.set(concern.id, concern);
    }
  }
  return {
    ...(paths.every(({ path, access }) => access === "read" && isOrdinaryIn(workspace, path))
      ? { looks: true }
      : {}),
    ...(touches.some(({ access }) => access === "write") ? { grade: "undoable" } : {}),
    effect: effectOn(touches),
    paths,
    concerns: withoutRepeated(concerns),
    seen: seen.join(" "),
  };
}

/** Describes the effect of a call on its paths, for the person. */
function effectOn(touches: readonly PlannedTouch[]): string {
  const written = touches.filter(({ access }) => access === "write");
  const names = (written.length > 0 ? written : touches).map(({ path }) => JSON.stringify(path));
  return `${written.length > 0 ? "changes" : "shows the model"} ${[...new Set(names)].join(", ")}`;
}

/** Returns the mark of a touched path that is in an added folder; nothing for any other path. `path` is physical. */
export function addedMark(workspace: Workspace, path: string): Pick<TouchedPath, "added"> {
  const { added } = workspace.placeOf(path);
  return added === undefined ? {} : { added: { root: added.root, trusted: added.trusted } };
}

/** Returns a fingerprint of an examined path: inode, size and time for a file to be written, else only the inode. */
function markOf(stats: Stats | undefined, touch: PlannedTouch): string {
  if (stats === undefined) return "absent";
  return touch.access === "write" && stats.isFile()
    ? `${stats.ino}:${stats.size}:${stats.mtimeMs}`
    : `${stats.ino}`;
}

/**
 * Returns true if the path must be denied, for example because it leads out of the workspace. A missing file only makes the
 * call fail.
 */
function isRefusal(failure: Failure): boolean {
  return failure.errorType === "validation_failed" || failure.errorType === "permission_denied";
}

function concernsAbout(workspace: Workspace, path: string, touch: PlannedTouch): readonly Concern[] {
  if (touch.access === "write") return writingConcerns(workspace, path);
  const { root } = workspace.placeOf(path);
  const name = touch.namesOnly === true ? undefined : secretName(path, root);
  return name === undefined ? [] : [secretConcern(path, name)];
}

/**
 * Returns the concerns about writing `path`, spelled `name` in a command: that it is in a folder in which nothing may be changed,
 * and the first of these: it is protected, git obeys it, it is a secret, the workspace holds a home folder or the system.
 */
export function writingConcerns(workspace: Workspace, path: string, name?: string): readonly Concern[] {
  const place = workspace.placeOf(path);
  const closed = place.added?.writable === false ? [onlyRead(path, place.added.root)] : [];
  const concern = writingConcern(place, path, name) ?? liveConcern(workspace, path);
  return concern === undefined ? closed : [...closed, concern];
}

function onlyRead(path: string, root: string): Concern {
  return {
    id: "untrusted-folder",
    decision: "deny",
    reason: `"${path}" is in ${root}, an added folder that is not trusted, so it is only read; the person can trust it (/add-dir ${root} yes)`,
  };
}

/**
 * Returns the concern about writing `path`, spelled `name` in a command, which is at the place; undefined if neither is protected or
 * a secret, and the workspace holds neither a home folder nor the system.
 */
export function writingConcern(
  { root, path: inside, added }: PlaceInFolder,
  path: string,
  name?: string,
): Concern | undefined {
  const spelled = name ?? inside;
  const row = protectedRow(inside, root);
  if (row !== undefined) return protectedByRow(path, protectedName(inside, root) ?? path, row);
  const closed = protectedName(added === undefined ? spelled : withoutRoot(spelled, root));
  if (closed !== undefined) return protectedConcern(path, closed);
  const secret = secretName(inside, root) ?? secretName(spelled);
  if (secret !== undefined) return writtenSecretConcern(path, secret);
  const whole = isAbsolute(path) ? undefined : holdsWhole(root);
  return whole === undefined ? undefined : wholeConcern(path, whole);
}

/** Returns the part of a spelled path after the added folder, whose own name the person chose. */
function withoutRoot(spelled: string, root: string): string {
  return pathInside(root, atHome(spelled)) ?? spelled;
}

function wholeConcern(path: string, whole: string): Concern {
  return {
    id: "whole-workspace",
    decision: "ask",
    reason: `the workspace holds ${whole}, so "${path}" may be a file of any program; work in the folder of a project to be asked less`,
    exceptIn: "bypass",
  };
}

/** Returns the concern about writing a path that git runs or obeys because its configuration names it; else undefined. */
function liveConcern(workspace: Workspace, path: string): Concern | undefined {
  const live = livePathOf(resolve(workspace.root, path));
  if (live === undefined) return undefined;
  return {
    id: `protected:${live.key}`,
    decision: "ask",
    reason: `${protectedText(path, live.key)}: the configuration of git names it, and git runs or obeys it`,
  };
}

/** Returns the concerns, without one about writing a kind of secret if another one is about reading the same kind. */
export function withoutRepeated(concerns: ReadonlyMap<string, Concern>): readonly Concern[] {
  return [...concerns.values()].filter(({ id }) => {
    return !id.startsWith(writtenSecret) || !concerns.has(id.replace(writtenSecret, "secret:"));
  });
}

/** Returns the path as written, relative to the root, with `.` and `..` resolved as text. */
export function plainPath(path: string, root: string): string {
  const plain = posix.normalize(path.split(sep).join("/")).replace(/(?<=.)\/+$/, "");
  const top = root.split(sep).join("/");
  if (plain === top || plain === "") return ".";
  return plain.startsWith(`${top}/`) ? plain.slice(top.length + 1) : plain;
}
