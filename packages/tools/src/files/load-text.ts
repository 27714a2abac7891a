/** Reads a text file of the workspace whole, and puts a changed text back in its place. */
import type { Stats } from "node:fs";
import { join } from "node:path";
import { type Failure, found, type Outcome, refused, systemFailure } from "../outcome.ts";
import type { ToolResources } from "../resources.ts";
import type { OpenFile } from "../workspace/handles.ts";
import { type DecodedText, decodeText, encodeText } from "./decode-text.ts";
import { FileChangedError, replaceIn } from "./replace-file.ts";

/** Largest file that is read whole. */
export const longestFile = 10 * 1024 * 1024;

export interface LoadedText extends DecodedText {
  /** Physical path relative to the workspace. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly stats: Stats;
}

export async function loadText(file: OpenFile): Promise<Outcome<LoadedText>> {
  if (file.stats.size > longestFile) {
    return tooLong(file.path, file.stats.size);
  }
  try {
    const bytes = await file.read(longestFile + 1);
    if (bytes.length > longestFile) {
      return tooLong(file.path, bytes.length);
    }
    const decoded = decodeText(bytes);
    if (decoded === undefined) {
      return refused(
        "parse_error",
        `"${file.path}" is a binary file (${bytes.length} bytes), not text. It is not shown.`,
      );
    }
    return found({ ...decoded, path: file.path, bytes, stats: file.stats });
  } catch (error) {
    return systemFailure(error, file.path);
  }
}

/** Opens and reads in one step. */
export async function loadTextAt(resources: ToolResources, path: string): Promise<Outcome<LoadedText>> {
  const opened = resources.workspace.openFile(path);
  if (!opened.ok) {
    return opened;
  }
  using file = opened.value;
  return await loadText(file);
}

/** A text with the encoding of the file that it is for. */
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
  /** The file as it was read; undefined for a new one. */
  readonly old: Stats | undefined;
  /** From which line of the old file on the numbers moved. */
  readonly shift?: { readonly line: number; readonly by: number };
}

/** Puts the bytes in place, or says why not; then the old file is as it was. Gives the physical path. */
export async function storeFile(
  resources: ToolResources,
  path: string,
  replacement: Replacement,
): Promise<Outcome<string>> {
  if (replacement.old === undefined) {
    await resources.changes.makingFolders(resources.workspace, path, false);
  }
  const target = resources.workspace.openTarget(path, { createFolders: replacement.old === undefined });
  if (!target.ok) {
    return target;
  }
  using entry = target.value;
  if ((entry.stats === undefined) !== (replacement.old === undefined)) {
    return changedMeanwhile(entry.path);
  }
  const place = { base: entry.directory.base, folder: join(resources.workspace.root, entry.directory.path) };
  await resources.changes.writing(entry, replacement.bytes);
  try {
    await replaceIn(place, entry.name, replacement.bytes, {
      journal: resources.journal,
      ...(replacement.old === undefined ? {} : { expected: replacement.old }),
    });
    await resources.ledger.wrote(entry.path, replacement.bytes, replacement.shift);
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
