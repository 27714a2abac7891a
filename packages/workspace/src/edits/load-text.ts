/** Reads a whole text file of the workspace, and stores a changed text in its place. */

import type { Stats } from "node:fs";
import { resolve } from "node:path";
import { countText } from "@localharness/protocol";
import type { Changes } from "../changes/changes.ts";
import { type DecodedText, decodeText, encodeText } from "../files/decode-text.ts";
import type { ReadLedger } from "../files/read-ledger.ts";
import { FileChangedError, replaceIn } from "../files/replace-file.ts";
import type { WriteJournal } from "../files/write-journal.ts";
import { type Failure, found, type Outcome, refused, systemFailure } from "../outcome.ts";
import type { OpenFile } from "../paths/handles.ts";
import type { Workspace } from "../paths/workspace.ts";

/** Maximum size of a file that is read as a whole. */
export const maxFileBytes = 10 * 1024 * 1024;

export interface LoadedText extends DecodedText {
  /** Physical path relative to the workspace. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly stats: Stats;
}

/** Reads and decodes an open file. Fails for binary files and files over `maxFileBytes`. */
export async function loadText(file: OpenFile): Promise<Outcome<LoadedText>> {
  if (file.stats.size > maxFileBytes) return tooLong(file.path, file.stats.size);
  try {
    const bytes = await file.read(maxFileBytes + 1);
    if (bytes.length > maxFileBytes) return tooLong(file.path, bytes.length);
    const decoded = decodeText(bytes);
    if (decoded === undefined) {
      return refused(
        "parse_error",
        `"${file.path}" is a binary file (${countText(bytes.length, "byte")}), not text. It is not shown.`,
      );
    }
    return found({ ...decoded, path: file.path, bytes, stats: file.stats });
  } catch (error) {
    return systemFailure(error, file.path);
  }
}

/** Opens a file and returns its text as `loadText` does. */
export async function loadTextAt(
  { workspace }: { readonly workspace: Workspace },
  path: string,
): Promise<Outcome<LoadedText>> {
  const opened = workspace.openFile(path);
  if (!opened.ok) return opened;
  using file = opened.value;
  return await loadText(file);
}

/** Encodes a text with the encoding of its file. Fails if the encoding lacks a character. */
export function encodeFor(loaded: LoadedText, text: string): Outcome<Buffer> {
  const bytes = encodeText(text, loaded.encoding);
  return bytes === undefined
    ? refused(
        "validation_failed",
        `"${loaded.path}" is encoded in ${loaded.encoding}, which cannot write some of the new characters. Use only characters of that encoding, or ask the person to convert the file to UTF-8.`,
      )
    : found(bytes);
}

export interface Replacement {
  readonly bytes: Buffer;
  /** Stats of the file when it was read; undefined for a new file. */
  readonly old: Stats | undefined;
  /** The first line of the old file whose number changed, and the size of the change. */
  readonly shift?: { readonly line: number; readonly by: number };
}

export interface StoringParts {
  readonly workspace: Workspace;
  readonly changes: Changes;
  readonly journal: WriteJournal;
  readonly ledger: ReadLedger;
}

/**
 * Keeps the old content for undo, stores the bytes, and returns the physical path. Creates missing folders for a new file.
 * Fails if the file has changed since `old`, or exists although `old` is undefined. On failure the old file is unchanged.
 */
export async function storeFile(
  { workspace, changes, journal, ledger }: StoringParts,
  path: string,
  replacement: Replacement,
): Promise<Outcome<string>> {
  if (replacement.old === undefined) {
    await changes.makingFolders(workspace, path, false);
  }
  const target = workspace.openTarget(path, { createFolders: replacement.old === undefined });
  if (!target.ok) return target;
  using entry = target.value;
  if ((entry.stats === undefined) !== (replacement.old === undefined)) return changedMeanwhile(entry.path);
  const place = {
    base: entry.directory.base,
    folder: resolve(workspace.root, entry.directory.path),
  };
  await changes.writing(entry, replacement.bytes);
  try {
    await replaceIn(place, entry.name, replacement.bytes, {
      journal,
      expected: replacement.old ?? "absent",
    });
    await ledger.wrote(entry.path, replacement.bytes, replacement.shift);
    return found(entry.path);
  } catch (error) {
    return error instanceof FileChangedError ? changedMeanwhile(entry.path) : systemFailure(error, path);
  }
}

function changedMeanwhile(path: string): Failure {
  return refused(
    "validation_failed",
    `"${path}" was changed by someone else at this moment; nothing was written. Read it again with read_file, then make the change.`,
  );
}

function tooLong(path: string, size: number): Failure {
  const megabytes = (size / 1024 / 1024).toFixed(1);
  return refused(
    "io_error",
    `"${path}" has ${megabytes} MB, the limit is 10 MB. Find the part you need with grep_search, or print it with bash (head, tail, sed -n).`,
  );
}
