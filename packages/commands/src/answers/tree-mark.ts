/** Marks all files of the workspace at once, for an answer about a program that loads files by names that it computes. */
import { createHash } from "node:crypto";
import { lstatSync, readlinkSync } from "node:fs";
import { resolve } from "node:path";
import { walkBelow } from "@localharness/workspace/files/walk-below";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { contentOf, digest, type Marks, markOf } from "./file-marks.ts";

/** The name of the mark among the files of an answer. */
export const wholeTree = "every file of the workspace";

const maxFiles = 2_000;
const maxBytes = 64_000_000;

/**
 * Adds the mark of the whole workspace, with the added folders, if the marks need it. Resolves to false if the workspace is too large or cannot be read,
 * so that changes may go unnoticed. Leaves out `.git`, in which no call writes hooks or settings unasked, and does not follow
 * links out of the workspace.
 */
export async function addTree(marks: Marks): Promise<boolean> {
  if (!marks.computed) return true;
  const { workspace } = marks;
  const paths: string[] = [];
  for (const top of [".", ...workspace.added().map(({ root }) => root)]) {
    const state = walkBelow(workspace, top, (path, entry) => {
      if (entry.name === ".git") return "skip";
      if (entry.isFile() || entry.isSymbolicLink()) paths.push(path);
      return paths.length > maxFiles ? "stop" : undefined;
    });
    if (state !== "done") return false;
  }
  const hash = createHash("sha256");
  let bytes = 0;
  for (const path of paths.sort()) {
    const stats = lstatSync(resolve(workspace.root, path), { throwIfNoEntry: false });
    bytes += stats?.size ?? 0;
    if (bytes > maxBytes) return false;
    hash.update(
      `${path}\0${(stats?.mode ?? 0) & 0o111}\0${await markAt(workspace, path, stats?.isSymbolicLink() === true)}\0`,
    );
  }
  marks.files[wholeTree] = hash.digest("hex");
  return true;
}

interface KnownMark {
  readonly state: string;
  readonly mark: string;
}

/** The marks of the files that were read, so that an unchanged file is read once. */
const known = new Map<string, KnownMark>();
const maxKnown = 20_000;

async function markAt(workspace: Workspace, path: string, isLink: boolean): Promise<string> {
  const absolute = resolve(workspace.root, path);
  if (isLink) return digest(readlinkSync(absolute));
  const stats = lstatSync(absolute, { throwIfNoEntry: false });
  if (stats === undefined) return "absent";
  const state = `${stats.dev}:${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
  const before = known.get(absolute);
  if (before?.state === state) return before.mark;
  const mark = markOf((await contentOf(workspace, path)) ?? "absent");
  if (known.size >= maxKnown) known.clear();
  known.set(absolute, { state, mark });
  return mark;
}
