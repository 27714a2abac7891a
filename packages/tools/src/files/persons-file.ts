/**
 * Reads a file that the person has named, to show it to the model: wherever it lies, as the person may read what is theirs.
 * Never for paths of the model's, which go through the workspace's door.
 */
import { constants, open } from "node:fs/promises";
import { errorCode } from "../outcome.ts";

export type PersonsFile =
  | { readonly kind: "read"; readonly bytes: Buffer }
  | { readonly kind: "absent" }
  /** Why it cannot be read, for the person. */
  | { readonly kind: "refused"; readonly message: string };

/** `path` is absolute. Never rejects. */
export async function readPersonsFile(path: string, mostBytes: number): Promise<PersonsFile> {
  try {
    // Not blocking: a pipe with nobody at its other end would hold the screen up.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return { kind: "refused", message: "it is no regular file" };
      if (stats.size > mostBytes) return tooLarge(stats.size, mostBytes);
      const buffer = Buffer.alloc(stats.size + 1);
      let size = 0;
      for (;;) {
        const { bytesRead } = await file.read(buffer, size, buffer.length - size, size);
        if (bytesRead === 0) return { kind: "read", bytes: buffer.subarray(0, size) };
        size += bytesRead;
        if (size === buffer.length) return { kind: "refused", message: "it grows while it is read" };
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return { kind: "absent" };
    return { kind: "refused", message: `the system says ${code}` };
  }
}

function tooLarge(size: number, most: number): PersonsFile {
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  return {
    kind: "refused",
    message: `it is ${megabytes(size)} MB large, ${megabytes(most)} MB are the most`,
  };
}
