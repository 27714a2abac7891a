/**
 * Opens files of the program's own. What stands there in their place, as a pipe or a device, would hold everything up or
 * never end: it is not waited for, and refused.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";

/** The flags of an open that waits for nothing. */
export function withoutWaiting(flags: number): number {
  return flags | (constants.O_NONBLOCK ?? 0);
}

/** Throws unless it is a regular file. */
export function requirePlain(stats: Stats): void {
  if (!stats.isFile()) throw new Error("it is no regular file");
}

/** A descriptor. Throws what the disk says, or that it is no regular file. */
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

/** The text of a small one. Throws as `openPlain` does. */
export function readPlainText(path: string, flags?: number): string {
  const descriptor = openPlain(path, flags);
  try {
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** The whole of it. Rejects with what the disk says, or that it is no regular file. */
export async function readPlain(path: string): Promise<Buffer> {
  const file = await open(path, withoutWaiting(constants.O_RDONLY));
  try {
    requirePlain(await file.stat());
    return await file.readFile();
  } finally {
    await file.close();
  }
}
