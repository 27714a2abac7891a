/** Reads git's files without starting git, which could run programs that the folder configures. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const maxLineBytes = 4_095;

/** Returns the bytes of a regular file of at most `most` bytes; undefined for anything else. Never blocks on a pipe. */
export function bytesOf(path: string, most: number): Buffer | undefined {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile() || stats.size > most) return undefined;
      const buffer = Buffer.alloc(stats.size + 1);
      const length = readSync(descriptor, buffer);
      return length === buffer.length ? undefined : buffer.subarray(0, length);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** Returns the text of a file as `bytesOf` returns its bytes; undefined also for invalid UTF-8. */
export function textOf(path: string, most: number): string | undefined {
  try {
    const bytes = bytesOf(path, most);
    return bytes && new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Returns the only line of a file without its line end; undefined if the file has no line or several, has more than 4,095
 * bytes, or cannot be read.
 */
export function oneLine(path: string): string | undefined {
  const line = textOf(path, maxLineBytes)?.replace(/[\r\n]+$/, "");
  return line === undefined || line === "" || /[\n\r\0]/.test(line) ? undefined : line;
}

/** Returns the path that a `.git` file names, as written; undefined if `marker` is not such a file. */
export function placeNamedBy(marker: string): string | undefined {
  return /^gitdir: (.+)$/s.exec(oneLine(marker) ?? "")?.[1];
}
