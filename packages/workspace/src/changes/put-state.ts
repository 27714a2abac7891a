/** Restores an earlier state of a path through the workspace, if the path has not changed since the tool's change. */
import { lstatSync, mkdirSync, renameSync, rmdirSync, type Stats, symlinkSync, unlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { defined } from "@localharness/protocol";
import { FileChangedError, type ReplacePlace, replaceIn } from "../files/replace-file.ts";
import { setMode } from "../files/set-mode.ts";
import type { WriteJournal } from "../files/write-journal.ts";
import { errorCode, type Outcome, refused, systemFailure } from "../outcome.ts";
import type { Workspace } from "../paths/workspace.ts";
import { absent, modeOf, type PathState, readState, sameState } from "./path-state.ts";

/** The maximum size of a file whose state is compared. A larger file counts as changed: the tools never write one. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Returns the current state of a path. Fails if the path cannot be accessed. The path is physical (without links) and relative
 * to the workspace.
 */
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
  if (entry.path !== path) return refused("io_error", `a folder on the way to "${path}" leads elsewhere now`);
  try {
    return { ok: true, value: await readState(entry.directory.at(entry.name), maxBytes, entry.stats) };
  } catch (error) {
    return systemFailure(error, path);
  }
}

/** Returns true if a parent of the path is now a file, so that nothing can exist at the path. */
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
  /** The content of `to`, if it is a file. */
  readonly content?: Uint8Array;
}

/** Restores `to` if the path is still in the state `from`. Leaves the path unchanged on failure. */
export async function putState(
  workspace: Workspace,
  journal: WriteJournal,
  { path, from, to, content }: Restoring,
): Promise<Outcome<undefined>> {
  const opened = workspace.openEntry(path);
  if (!opened.ok) return opened;
  using entry = opened.value;
  if (entry.path !== path) return refused("io_error", `a folder on the way to "${path}" leads elsewhere now`);
  try {
    const at = entry.directory.at(entry.name);
    const now = await readState(at, maxBytes, entry.stats);
    if (!sameState(now.state, from)) return refused("io_error", `"${path}" was changed meanwhile`);
    const place = {
      base: entry.directory.base,
      folder: resolve(workspace.root, entry.directory.path),
      name: entry.name,
      journal,
    };
    if (to.kind === "absent") {
      removeEntry(at, from);
    } else if (from.kind === "absent") {
      await make(place, to, content, "absent");
    } else if (from.kind === to.kind && entry.stats !== undefined) {
      await change(place, { path, from, to, ...defined({ content }) }, entry.stats);
    } else {
      await exchange(place, from, to, content);
    }
    return { ok: true, value: undefined };
  } catch (error) {
    if (error instanceof FileChangedError) return refused("io_error", `"${path}" was changed meanwhile`);
    return errorCode(error) === "ENOTEMPTY"
      ? refused("io_error", `the folder "${path}" holds other files`)
      : systemFailure(error, path);
  }
}

/** Changes content and mode of an entry that keeps its kind. `stats` describe it now. */
async function change(place: NamedPlace, { from, to, content }: Restoring, stats: Stats): Promise<void> {
  const at = join(place.base, place.name);
  const mode = modeOf(to);
  const isModeNew = mode !== undefined && (stats.mode & 0o777) !== mode;
  if (from.kind === "link") {
    await exchange(place, from, to, content);
  } else if (sameState(from, to)) {
    if (isModeNew) setMode(at, mode);
  } else {
    // A read-only file is not replaced. A replaced file keeps its mode.
    const writable = (mode ?? 0) | 0o200;
    if (isModeNew) setMode(at, writable);
    await make(place, to, content, isModeNew ? lstatSync(at) : stats);
    if (isModeNew && writable !== mode) setMode(at, mode);
  }
}

/** A name in an open folder. */
interface NamedPlace extends ReplacePlace {
  readonly name: string;
  readonly journal: WriteJournal;
}

/** Creates `to` at the place. `expected` is the present state of the place: nothing, or a file that is replaced. */
async function make(
  place: NamedPlace,
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
    throw new Error("the content to restore is missing");
  }
  if (expected !== "absent") return;
  try {
    if ((lstatSync(at).mode & 0o777) !== to.mode) {
      setMode(at, to.mode);
    }
  } catch (error) {
    removeQuietly(at, to);
    throw error;
  }
}

/**
 * Replaces an entry by an entry of another kind. Creates the new entry under a temporary name first, so that the old entry
 * survives a disk error.
 */
async function exchange(
  place: NamedPlace,
  from: PathState,
  to: PathState,
  content: Uint8Array | undefined,
): Promise<void> {
  const at = join(place.base, place.name);
  const name = place.journal.temporaryName(place.folder, place.name);
  const made = join(place.base, name);
  await make({ ...place, name }, to, content, "absent");
  try {
    if (!sameState((await readState(at, maxBytes)).state, from)) {
      throw new FileChangedError(`${place.name} was changed by someone else meanwhile`);
    }
    if (from.kind === "folder") {
      replaceFolder(made, at, from.mode);
    } else if (to.kind === "folder") {
      const aside = join(place.base, place.journal.temporaryName(place.folder, place.name));
      replaceByFolder(made, at, aside);
      removeQuietly(aside, from);
    } else {
      renameSync(made, at);
    }
  } catch (error) {
    removeQuietly(made, to);
    throw error;
  }
}

/** Replaces a folder, which must be empty, and creates it again if that fails. */
function replaceFolder(made: string, at: string, mode: number): void {
  rmdirSync(at);
  try {
    renameSync(made, at);
  } catch (error) {
    mkdirSync(at, { mode });
    setMode(at, mode);
    throw error;
  }
}

/** Replaces an entry by a folder. Moves the entry aside first, because a rename cannot replace a file by a folder. */
function replaceByFolder(made: string, at: string, aside: string): void {
  renameSync(at, aside);
  try {
    renameSync(made, at);
  } catch (error) {
    renameSync(aside, at);
    throw error;
  }
}

function removeEntry(at: string, from: PathState): void {
  if (from.kind === "folder") {
    rmdirSync(at);
  } else if (from.kind !== "absent") {
    unlinkSync(at);
  }
}

function removeQuietly(at: string, from: PathState): void {
  try {
    removeEntry(at, from);
  } catch {
    // The next start removes this leftover.
  }
}
