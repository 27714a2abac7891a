/** Finds, before a tool changes or removes a file, whether undo would keep the old content. */
import { lstatSync, type Stats } from "node:fs";
import { resolve } from "node:path";
import type { Concern } from "@localharness/engine";
import { walkBelow } from "../files/walk-below.ts";
import type { Workspace } from "../paths/workspace.ts";
import type { Changes, KeepRoom } from "./changes.ts";
import { maxTurnBytes, megabytes, whySecret } from "./keep-limits.ts";
import { readState } from "./path-state.ts";

export interface LossParts {
  readonly workspace: Workspace;
  readonly changes: Changes;
}

/**
 * Resolves to the concern about a change after which undo could not restore the file; undefined if undo keeps the content, or if
 * the person has switched undo off. `path` is physical (without links). `below` is true if the files below it are removed too.
 */
export async function lossConcern(
  { workspace, changes }: LossParts,
  path: string,
  below: boolean,
): Promise<Concern | undefined> {
  const room = changes.room();
  if (room === undefined) return undefined;
  const { limits, use } = room;
  const found = filesAt(workspace, path, below, limits.turnEntries - use.entries);
  if (typeof found === "string") return concern(path, found);
  let size = use.bytes;
  for (const file of found) {
    const at = resolve(workspace.root, file);
    const stats = statsOf(at);
    if (stats?.isFile() !== true) continue;
    size += stats.size;
    const tooMuch =
      size > maxTurnBytes(limits) ? "more would be replaced in this turn than undo keeps" : undefined;
    const why = (await whyNotKept(file, workspace.root, stats, room)) ?? tooMuch;
    if (why !== undefined) return concern(file, why);
  }
  return undefined;
}

function concern(path: string, why: string): Concern {
  const reason = `undo would not keep the old content of ${JSON.stringify(path)}: ${why}`;
  return { id: "lost", decision: "ask", reason, exceptIn: "bypass" };
}

/** Returns the path, and with `below` also the files below it. If these are too many, returns the reason as a text. */
function filesAt(
  workspace: Workspace,
  path: string,
  below: boolean,
  maxEntries: number,
): readonly string[] | string {
  if (!below) return [path];
  const files: string[] = [path];
  let entries = 1;
  const end = walkBelow(workspace, path, (at, entry) => {
    entries += 1;
    if (entry.isFile()) files.push(at);
    return entries > maxEntries ? "stop" : undefined;
  });
  return end === "stopped"
    ? `more than ${maxEntries} more files and folders are too many for this turn`
    : files;
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Resolves to the reason why undo would not keep the content of one file; undefined if it would. */
async function whyNotKept(
  path: string,
  root: string,
  stats: Stats,
  { limits, secrets }: KeepRoom,
): Promise<string | undefined> {
  if (stats.size > limits.fileBytes) return `it has more than ${megabytes(limits.fileBytes)}`;
  const read = secrets.length > 0 ? await readState(resolve(root, path), limits.fileBytes, stats) : undefined;
  return whySecret(path, read?.bytes ?? Buffer.alloc(0), secrets, root);
}
