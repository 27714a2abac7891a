/** Puts a path back into a state that it had, if it is still as it was left: through the door of the workspace. */
import { chmodSync, lstatSync, mkdirSync, rmdirSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { FileChangedError, replaceIn } from "../files/replace-file.ts";
import type { WriteJournal } from "../files/write-journal.ts";
import { errorCode, type Outcome, refused, systemFailure } from "../outcome.ts";
import type { Entry } from "../workspace/handles.ts";
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

/** On a failure the path is as it was. A `from` of another kind than `to` is removed first. */
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
    if (to.kind === "file") {
      await putFile(workspace, journal, entry, from, to, content);
    } else {
      putOther(at, from, to);
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

async function putFile(
  workspace: Workspace,
  journal: WriteJournal,
  entry: Entry,
  from: PathState,
  to: PathState & { kind: "file" },
  content: Uint8Array | undefined,
): Promise<void> {
  if (content === undefined) {
    throw new Error("the content of a file that is to be put back is missing");
  }
  const at = entry.directory.at(entry.name);
  const place = { base: entry.directory.base, folder: join(workspace.root, entry.directory.path) };
  const isFile = from.kind === "file" && entry.stats !== undefined;
  if (!isFile && from.kind !== "absent") {
    takeAway(at, from);
  }
  await replaceIn(place, entry.name, content, {
    journal,
    mode: to.mode,
    expected: isFile && entry.stats !== undefined ? entry.stats : "absent",
  });
  if (!isFile && (lstatSync(at).mode & 0o777) !== to.mode) {
    chmodSync(at, to.mode);
  }
}

function putOther(at: string, from: PathState, to: Exclude<PathState, { kind: "file" }>): void {
  if (from.kind !== "absent") {
    takeAway(at, from);
  }
  if (to.kind === "folder") {
    mkdirSync(at, { mode: to.mode });
    chmodSync(at, to.mode);
  } else if (to.kind === "link") {
    symlinkSync(to.target, at);
  }
}

function takeAway(at: string, from: PathState): void {
  if (from.kind === "folder") {
    rmdirSync(at);
  } else {
    unlinkSync(at);
  }
}
