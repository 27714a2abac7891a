/**
 * Opens the program's own files without blocking. Refuses anything but a regular file, because a pipe or a device in its
 * place could block or never end.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";

/** Returns the flags with `O_NONBLOCK`. */
export function withoutWaiting(flags: number): number {
  return flags | (constants.O_NONBLOCK ?? 0);
}

/** Throws unless the stats describe a regular file. */
export function requirePlain(stats: Stats): void {
  if (!stats.isFile()) throw new Error("it is not a regular file");
}

/** Opens a file and returns its descriptor. Throws the system's error, or an error if the path is not a regular file. */
export function openPlain(path: string, flags: number = constants.O_RDONLY, mode?: number): number {
  const descriptor = openSync(path, withoutWaiting(flags), mode);
  try {
    requirePlain(fstatSync(descriptor));
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Returns the text of a small file. Throws like `openPlain`. */
export function readPlainText(path: string, flags?: number): string {
  const descriptor = openPlain(path, flags);
  try {
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the whole content. Rejects with the system's error, or with an error if it is not a regular file. */
export async function readPlain(path: string): Promise<Buffer> {
  const file = await open(path, withoutWaiting(constants.O_RDONLY));
  try {
    requirePlain(await file.stat());
    return await file.readFile();
  } finally {
    await file.close();
  }
}
