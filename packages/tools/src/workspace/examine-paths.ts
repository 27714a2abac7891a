/** Computes the facts about a file tool's call before it runs: the paths it would touch, and the reasons to ask. */
import type { Stats } from "node:fs";
import { posix, sep } from "node:path";
import type { CallFacts, Concern, TouchedPath } from "@localharness/engine";
import type { Failure } from "../outcome.ts";
import { isOrdinary } from "./ordinary.ts";
import { protectedName, protectedRow } from "./protected.ts";
import { secretName } from "./secret-name.ts";
import type { Workspace } from "./workspace.ts";

/** A path as the model wrote it, and how the call would use it. */
export interface PlannedTouch {
  readonly path: string;
  readonly access: "read" | "write";
  /** True if the call is about the entry itself, so that a link at the end is not followed. */
  readonly entry?: boolean;
  /** True if everything below the path is included. */
  readonly below?: boolean;
  /** True if only names are shown, not contents. */
  readonly namesOnly?: boolean;
}

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
    const asked = plainPath(touch.path, workspace.root);
    const physical = place.ok ? place.value.path : asked;
    seen.push(markOf(place.ok ? place.value.stats : undefined, touch));
    for (const path of new Set([physical, asked])) {
      paths.push({ path, access: touch.access, ...(touch.below === true ? { below: true } : {}) });
      const concern = concernAbout(path, touch);
      if (concern !== undefined) {
        concerns.set(concern.id, concern);
      }
    }
  }
  return {
    ...(paths.every(({ path, access }) => access === "read" && isOrdinary(path)) ? { looks: true } : {}),
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

/** Returns the facts about an edit that writes `content`. */
export function examineEdit(
  workspace: Workspace,
  touches: readonly PlannedTouch[],
  content: string,
): CallFacts {
  const facts = examinePaths(workspace, touches);
  return { ...facts, sessionScope: everyEdit, writesBytes: Buffer.byteLength(content) };
}

/**
 * The scope of `session` answers to edits. It is the same for all tools that write text, so that one answer covers all of them.
 */
const everyEdit = {
  scope: '{"edits":"text"}',
  covers: "every edit of ordinary files of this workspace, by any tool (undo has the old content)",
};

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

function concernAbout(path: string, touch: PlannedTouch): Concern | undefined {
  if (touch.access === "write") return writingConcern(path);
  const name = touch.namesOnly === true ? undefined : secretName(path);
  return name === undefined ? undefined : secretConcern(path, name);
}

/** Returns the concern about writing `path`, spelled `name` in a command; undefined if neither is protected or a secret. */
export function writingConcern(path: string, name = path): Concern | undefined {
  const closed = protectedName(path) ?? protectedName(name);
  if (closed !== undefined) return protectedConcern(path, closed);
  const secret = secretName(path) ?? secretName(name);
  return secret === undefined ? undefined : writtenSecretConcern(path, secret);
}

/** Returns the concerns, without one about writing a kind of secret if another one is about reading the same kind. */
export function withoutRepeated(concerns: ReadonlyMap<string, Concern>): readonly Concern[] {
  return [...concerns.values()].filter(({ id }) => {
    return !id.startsWith(writtenSecret) || !concerns.has(id.replace(writtenSecret, "secret:"));
  });
}

export function protectedConcern(path: string, name: string): Concern {
  const row = protectedRow(name);
  return {
    id: `protected:${name}`,
    decision: "ask",
    reason: `"${path}" is protected (${name}): ${row?.reason ?? "programs obey it"}`,
    ...(row?.common === true ? { exceptIn: "bypass" } : {}),
  };
}

export function secretConcern(path: string, name: string): Concern {
  return {
    id: `secret:${name}`,
    decision: "ask",
    reason: `"${path}" usually holds passwords or keys, which the model would then know`,
  };
}

const writtenSecret = "written-secret:";

function writtenSecretConcern(path: string, name: string): Concern {
  return {
    id: `${writtenSecret}${name}`,
    decision: "ask",
    reason: `it writes "${path}", which usually holds passwords or keys; undo keeps no copy`,
    exceptIn: "bypass",
  };
}

/** Returns a concern about a file of secrets that would become part of a repository. */
export function storedSecretConcern(path: string, name: string): Concern {
  return {
    id: `secret:${name}`,
    decision: "ask",
    reason: `"${path}" usually holds passwords or keys, which would become part of the repository`,
  };
}

/** Returns the path as written, relative to the root, with `.` and `..` resolved as text. */
function plainPath(path: string, root: string): string {
  const plain = posix.normalize(path.split(sep).join("/")).replace(/(?<=.)\/+$/, "");
  const top = root.split(sep).join("/");
  if (plain === top || plain === "") return ".";
  return plain.startsWith(`${top}/`) ? plain.slice(top.length + 1) : plain;
}
