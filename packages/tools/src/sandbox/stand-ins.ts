/**
 * The empty files that stand in for protected names while a sandboxed command runs. The runtime takes them away after
 * each command; those of a killed process are taken away at the next start, from what it had put on record.
 */
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { removeCommonFolder } from "./common-folder.ts";

export interface StandInRecord {
  readonly pid: number;
  readonly paths: readonly string[];
}

/** Puts on record what may be left behind; returns what ends that. */
export function recordStandIns(stateFolder: string, paths: readonly string[]): () => void {
  const folder = join(stateFolder, "sandbox");
  const file = join(folder, `${process.pid}.json`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify({ pid: process.pid, paths }), { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** Takes away what killed processes left. Only empty, unwritable files, and our own `commondir`, are taken for stand-ins. Never throws. */
export function sweepStandIns(stateFolder: string): void {
  const folder = join(stateFolder, "sandbox");
  for (const name of namesIn(folder)) {
    const file = join(folder, name);
    const record = readRecord(file);
    if (record !== undefined && isAlive(record.pid)) continue;
    for (const path of record?.paths ?? []) removeStandIn(path);
    rmSync(file, { force: true });
  }
}

function removeStandIn(path: string): void {
  if (basename(path) === "commondir") {
    removeCommonFolder(path);
    return;
  }
  try {
    const stats = lstatSync(path);
    if (stats.isFile() && stats.size === 0 && (stats.mode & 0o222) === 0) unlinkSync(path);
  } catch {
    // It is gone already, or not ours to remove.
  }
}

function readRecord(file: string): StandInRecord | undefined {
  try {
    const { pid, paths } = JSON.parse(readFileSync(file, "utf8")) as { pid?: unknown; paths?: unknown };
    if (typeof pid !== "number" || !Array.isArray(paths)) return undefined;
    return { pid, paths: paths.filter((path) => typeof path === "string") };
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
