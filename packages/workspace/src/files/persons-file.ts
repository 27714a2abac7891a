/**
 * Reads a file that the person has named, to show it to the model. The file may be anywhere, because the person may read their
 * own files. Never use this for paths from the model, which must go through the workspace.
 */
import { constants, open } from "node:fs/promises";
import { errorCode } from "../outcome.ts";

export type PersonsFile =
  | { readonly kind: "read"; readonly bytes: Buffer }
  | { readonly kind: "absent" }
  /** The message tells the person why the file cannot be read. */
  | { readonly kind: "refused"; readonly message: string };

/** Reads the file at an absolute path. Never rejects. */
export async function readPersonsFile(path: string, maxBytes: number): Promise<PersonsFile> {
  try {
    // The file is opened in non-blocking mode, because opening a pipe without a writer would block the screen.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return { kind: "refused", message: "it is not a regular file" };
      if (stats.size > maxBytes) return tooLarge(stats.size, maxBytes);
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
    return { kind: "refused", message: `the system reports ${code}` };
  }
}

function tooLarge(size: number, most: number): PersonsFile {
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  return {
    kind: "refused",
    message: `it has ${megabytes(size)} MB, the limit is ${megabytes(most)} MB`,
  };
}
