/** Puts a path back into a state that it had, if it is still as it was left: through the door of the workspace. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { join } from "node:path";
import { FileChangedError, type ReplacePlace, replaceIn } from "../files/replace-file.ts";
import type { WriteJournal } from "../files/write-journal.ts";
import { errorCode, type Outcome, refused, systemFailure } from "../outcome.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { absent, lookAt, type PathState, sameState } from "./path-state.ts";

/** Larger files are never the tools' own. */
const longest = 64 * 1024 * 1024;

/** What stands at a path (physical, relative to the workspace) now. A place that cannot be reached is a failure. */
export async function stateAt(
  workspace: Workspace,
  path: string,
): Promise<Outcome<{ readonly state: PathState; readonly bytes?: Buffer }>> {
  const opened = workspace.openEntry(path);
  if (!opened.ok) {
    const isAbsent = opened.errorType === "not_found" || liesBelowFile(workspace, path);
    return isAbsent ? { ok: true, value: { state: absent } } : opened;
  }
  using entry = opened.value;
  if (entry.path !== path) {
    return refused("io_error", `a folder on the way to "${path}" leads elsewhere now`);
  }
  try {
    return { ok: true, value: await lookAt(entry.directory.at(entry.name), longest, entry.stats) };
  } catch (error) {
    return systemFailure(error, path);
  }
}

/** True when a name on the way is a file now: then nothing can be at the path. */
function liesBelowFile(workspace: Workspace, path: string): boolean {
  const names = path.split("/").slice(0, -1);
  return names.some((_, index) => {
    const above = workspace.locateEntry(names.slice(0, index + 1).join("/"));
    return above.ok && above.value.stats?.isFile() === true;
  });
}

export interface Restoring {
  readonly path: string;
  readonly from: PathState;
  readonly to: PathState;
  /** The content of `to`, when it is a file. */
  readonly content?: Uint8Array;
}

/** On a failure the path is as it was. */
export async function putState(
  workspace: Workspace,
  journal: WriteJournal,
  { path, from, to, content }: Restoring,
): Promise<Outcome<undefined>> {
  const opened = workspace.openEntry(path);
  if (!opened.ok) {
    return opened;
  }
  using entry = opened.value;
  if (entry.path !== path) {
    return refused("io_error", `a folder on the way to "${path}" leads elsewhere now`);
  }
  try {
    const at = entry.directory.at(entry.name);
    const now = await lookAt(at, longest, entry.stats);
    if (!sameState(now.state, from)) {
      return refused("io_error", `"${path}" was changed meanwhile`);
    }
    const place = {
      base: entry.directory.base,
      folder: join(workspace.root, entry.directory.path),
      name: entry.name,
      journal,
    };
    if (to.kind === "absent") {
      takeAway(at, from);
    } else if (from.kind === "absent") {
      await make(place, to, content, "absent");
    } else if (from.kind === "file" && to.kind === "file") {
      await make(place, to, content, entry.stats ?? "absent");
    } else {
      await exchange(place, from, to, content);
    }
    return { ok: true, value: undefined };
  } catch (error) {
    if (error instanceof FileChangedError) {
      return refused("io_error", `"${path}" was changed meanwhile`);
    }
    return errorCode(error) === "ENOTEMPTY"
      ? refused("io_error", `the folder "${path}" holds other files`)
      : systemFailure(error, path);
  }
}

/** A name in an open folder. */
interface Place extends ReplacePlace {
  readonly name: string;
  readonly journal: WriteJournal;
}

/** `expected`: what stands there; only a file may. */
async function make(
  place: Place,
  to: PathState,
  content: Uint8Array | undefined,
  expected: Stats | "absent",
): Promise<void> {
  const at = join(place.base, place.name);
  if (to.kind === "link") {
    symlinkSync(to.target, at);
    return;
  }
  if (to.kind === "folder") {
    mkdirSync(at, { mode: to.mode });
  } else if (to.kind === "file" && content !== undefined) {
    await replaceIn(place, place.name, content, { journal: place.journal, mode: to.mode, expected });
  } else {
    throw new Error("what is to be put back is missing");
  }
  if (expected !== "absent") {
    return;
  }
  try {
    if ((lstatSync(at).mode & 0o777) !== to.mode) {
      chmodSync(at, to.mode);
    }
  } catch (error) {
    takeAwayQuietly(at, to);
    throw error;
  }
}

/** For another kind: all that a disk may refuse is done beside it before the old one goes. */
async function exchange(
  place: Place,
  from: PathState,
  to: PathState,
  content: Uint8Array | undefined,
): Promise<void> {
  const at = join(place.base, place.name);
  const name = place.journal.temporaryName(place.folder, place.name);
  const made = join(place.base, name);
  await make({ ...place, name }, to, content, "absent");
  try {
    if (!sameState((await lookAt(at, longest)).state, from)) {
      throw new FileChangedError(`${place.name} was changed by someone else meanwhile`);
    }
    if (from.kind === "folder") {
      insteadOfFolder(made, at, from.mode);
    } else if (to.kind === "folder") {
      const aside = join(place.base, place.journal.temporaryName(place.folder, place.name));
      folderInstead(made, at, aside);
      takeAwayQuietly(aside, from);
    } else {
      renameSync(made, at);
    }
  } catch (error) {
    takeAwayQuietly(made, to);
    throw error;
  }
}

/** Only a folder that is empty goes. */
function insteadOfFolder(made: string, at: string, mode: number): void {
  rmdirSync(at);
  try {
    renameSync(made, at);
  } catch (error) {
    mkdirSync(at, { mode });
    chmodSync(at, mode);
    throw error;
  }
}

/** A folder takes the place of nothing but a folder. */
function folderInstead(made: string, at: string, aside: string): void {
  renameSync(at, aside);
  try {
    renameSync(made, at);
  } catch (error) {
    renameSync(aside, at);
    throw error;
  }
}

function takeAway(at: string, from: PathState): void {
  if (from.kind === "folder") {
    rmdirSync(at);
  } else if (from.kind !== "absent") {
    unlinkSync(at);
  }
}

function takeAwayQuietly(at: string, from: PathState): void {
  try {
    takeAway(at, from);
  } catch {
    // The sweep at the next start takes it.
  }
}
