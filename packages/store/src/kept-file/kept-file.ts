/**
 * Reads and changes a small JSON file of the program. Several processes may change it at once, and no fault loses its
 * content.
 */
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { configError, HarnessError } from "@localharness/engine";
import { reasonOf } from "@localharness/protocol";
import { readPlain } from "@localharness/workspace/files/plain-file";
import { type ReplaceOptions, replaceFile } from "@localharness/workspace/files/replace-file";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";
import { withFileLock } from "./file-lock.ts";

export type KeptText<Value> =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "newer"; readonly version: number }
  | { readonly kind: "broken"; readonly problem: string };

/** Describes one kind of file: its content, and the functions that parse and write it. */
export interface KeptKind<Value> {
  /** The format version that this program writes. */
  readonly version: number;
  /** The value that a missing file has. */
  readonly empty: Value;
  /** The content as a plural noun for messages, such as `remembered answers`. */
  readonly contents: string;
  /** True if a change must also survive a power failure. */
  readonly durable: boolean;
  read(text: string): KeptText<Value>;
  write(value: Value): string;
}

export type KeptState<Value> =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "newer" | "broken" | "unreadable"; readonly problem: string };

/** Returns the current content of the file, or the reason why it cannot be used. Never throws, and changes nothing. */
export async function readKept<Value>(path: string, kind: KeptKind<Value>): Promise<KeptState<Value>> {
  let text: string;
  try {
    text = (await readPlain(path)).toString("utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return { kind: "value", value: kind.empty };
    }
    const problem = `${path} cannot be read (${reasonOf(error)}): ${kind.contents} are not used`;
    return { kind: "unreadable", problem };
  }
  const found = kind.read(text);
  if (found.kind === "value") return found;
  if (found.kind === "broken") return { kind: "broken", problem: `${path} is damaged (${found.problem})` };
  const problem = `${path} was written by a later version (${found.version}, this one knows ${kind.version}): its ${kind.contents} are not used, and the file is not changed`;
  return { kind: "newer", problem };
}

/** Returns the file's content; the empty value and a warning if it is unusable. Renames a damaged file. Never throws. */
export async function loadKept<Value>(
  path: string,
  kind: KeptKind<Value>,
): Promise<{ readonly value: Value; readonly warning?: string }> {
  const state = await readKept(path, kind);
  if (state.kind === "value") return { value: state.value };
  if (state.kind !== "broken") return { value: kind.empty, warning: state.problem };
  try {
    return await withFileLock(lockOf(path), () => setAside(path, kind));
  } catch (error) {
    const warning = `${state.problem}; it could not be renamed: ${reasonOf(error)}`;
    return { value: kind.empty, warning };
  }
}

/** The maximum number of attempts at a change. An attempt fails if its lock is lost, for example to another process. */
const maxTries = 3;

/**
 * Changes the content of the file under its lock, and returns the content from before the change. A damaged file is renamed,
 * and `edit` gets the empty value. `edit` is called again if the lock is lost before anything is written. Rejects with a
 * `HarnessError` if the file cannot be changed.
 */
export async function changeKept<Value>(
  path: string,
  kind: KeptKind<Value>,
  journal: WriteJournal,
  edit: (value: Value) => Value,
): Promise<Value> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const done = await withFileLock(lockOf(path), (stillHeld) =>
        changeOnce(path, kind, journal, edit, stillHeld),
      );
      if (done !== undefined) return done.before;
    }
    throw configError(`${path} was changed by another process: try again`);
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    throw configError(`${path} could not be written: ${reasonOf(error)}`, error);
  }
}

/** Resolves to the content from before the change; undefined, and writes nothing, if the lock was lost. */
async function changeOnce<Value>(
  path: string,
  kind: KeptKind<Value>,
  journal: WriteJournal,
  edit: (value: Value) => Value,
  stillHeld: () => Promise<boolean>,
): Promise<{ readonly before: Value } | undefined> {
  const state = await readKept(path, kind);
  if (state.kind === "newer" || state.kind === "unreadable") throw configError(state.problem);
  const before = state.kind === "value" ? state.value : await valueBesideBroken(path, kind);
  const text = kind.write(edit(before));
  if (text === kind.write(before)) return { before };
  if (!(await stillHeld())) return undefined;
  await replaceOrRestore(path, text, { journal, mode: 0o600, durable: kind.durable });
  return { before };
}

/**
 * Renames a damaged file and returns the empty value. The caller must hold the lock. Throws if the file cannot be
 * renamed, because it must not be overwritten.
 */
async function valueBesideBroken<Value>(path: string, kind: KeptKind<Value>): Promise<Value> {
  const { value, problem } = await setAside(path, kind);
  if (problem !== undefined) throw configError(problem);
  return value;
}

/**
 * Replaces the file, or throws and leaves the old content. If the new text is in place but syncing it to the disk
 * fails, the old text is restored, because a change that was reported as failed must not take effect later. If that fails
 * too, the error says that the file was or may be changed.
 */
async function replaceOrRestore(path: string, text: string, options: ReplaceOptions): Promise<void> {
  const old = await textOf(path);
  try {
    await replaceFile(path, Buffer.from(text), options);
  } catch (error) {
    const now = await textOf(path).catch(() => "unreadable" as const);
    if (now === old || (now !== text && now !== "unreadable")) throw error;
    try {
      if (old === undefined) await rm(path, { force: true });
      else await replaceFile(path, Buffer.from(old), { ...options, durable: false });
    } catch (cause) {
      const state = now === text ? "was changed, although" : "may have been changed:";
      const message = `${path} ${state} the disk reports ${reasonOf(error)}. Check the file when the disk works again`;
      throw configError(message, cause);
    }
    throw error;
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return (await readPlain(path)).toString("utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Renames a damaged file, and returns the empty value and a warning with the new name. Returns the value of a sound file.
 * `problem` is set if the file cannot be used and must not be replaced. The caller must hold the lock. Rejects if a damaged
 * file cannot be renamed.
 */
async function setAside<Value>(
  path: string,
  kind: KeptKind<Value>,
): Promise<{ readonly value: Value; readonly warning?: string; readonly problem?: string }> {
  const state = await readKept(path, kind);
  if (state.kind === "value") return { value: state.value };
  if (state.kind !== "broken") return { value: kind.empty, warning: state.problem, problem: state.problem };
  const aside = `${path}.broken-${new Date().toISOString().replace(/[:.]/g, "-")}`;
  await rename(path, aside);
  return {
    value: kind.empty,
    warning: `${state.problem}: it is kept as ${aside}, and ${kind.contents} start empty`,
  };
}

function lockOf(path: string): string {
  return `${path}.lock`;
}
