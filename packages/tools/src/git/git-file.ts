/** Files of git, read by ourselves: git itself is not started in a folder that may configure what it runs. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const longestLine = 4_095;

/** The text of a regular file of at most `most` bytes; undefined for anything else, which is not waited for. */
export function textOf(path: string, most: number): string | undefined {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile() || stats.size > most) {
        return undefined;
      }
      const buffer = Buffer.alloc(stats.size + 1);
      const length = readSync(descriptor, buffer);
      return length === buffer.length
        ? undefined
        : new TextDecoder("utf-8", { fatal: true }).decode(buffer.subarray(0, length));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** The text of a small file that has one line, without the line end. */
export function oneLine(path: string): string | undefined {
  const line = textOf(path, longestLine)?.replace(/[\r\n]+$/, "");
  return line === undefined || line === "" || /[\n\r\0]/.test(line) ? undefined : line;
}

/** Where a `.git` that is a file says that the repository is, as it is written there. */
export function placeNamedBy(marker: string): string | undefined {
  return /^gitdir: (.+)$/s.exec(oneLine(marker) ?? "")?.[1];
}
