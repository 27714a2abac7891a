/** Declares the result of an inner step: a value, or a failed tool output for the model. */
import type { FailedOutput } from "@localharness/engine";

export type Failure = FailedOutput;
export type Outcome<T> = { readonly ok: true; readonly value: T } | Failure;

export function found<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function refused(errorType: Failure["errorType"], message: string, data?: string): Failure {
  return data === undefined ? { ok: false, errorType, message } : { ok: false, errorType, message, data };
}

/** Returns the `code` of a system error, or `UNKNOWN`. */
export function errorCode(error: unknown): string {
  if (typeof error === "object" && error !== null && "code" in error && typeof error.code === "string") {
    return error.code;
  }
  return "UNKNOWN";
}

const meanings: Readonly<Record<string, readonly [Failure["errorType"], string]>> = {
  ENOENT: ["not_found", "does not exist. Look at the folder with ls to see what is there"],
  ENOTDIR: ["io_error", "goes through a file as if it were a folder. Check the path with ls"],
  EISDIR: ["io_error", "is a folder. Use ls to list it, or name a file in it"],
  EACCES: [
    "io_error",
    "may not be accessed: the system denies permission. Ask the person to change its permissions",
  ],
  EPERM: [
    "io_error",
    "may not be changed: the system does not permit it. Ask the person to look at its owner and flags",
  ],
  EROFS: ["io_error", "is on a read-only file system. Choose another place or ask the person"],
  ENOSPC: ["io_error", "could not be written: the disk is full. Ask the person to free some space"],
  EDQUOT: ["io_error", "could not be written: the disk quota is used up. Ask the person to free some space"],
  EXDEV: ["io_error", "could not be replaced: it is on another file system. Ask the person"],
  EBUSY: ["io_error", "is in use or a mount point and cannot be replaced. Ask the person"],
  ETXTBSY: ["io_error", "is a program that is running. Stop it first"],
  EMFILE: ["io_error", "could not be opened: too many files are open. Try again, one call at a time"],
  ENFILE: ["io_error", "could not be opened: too many files are open in the system. Try again later"],
  ELOOP: ["validation_failed", "goes through links that lead in a circle. Use the path of the real file"],
  ENAMETOOLONG: ["validation_failed", "is too long for a file name. Use a shorter path"],
  EINVAL: ["validation_failed", "is not a path that the system accepts"],
  ENOTEMPTY: ["io_error", "is a folder that is not empty"],
  EEXIST: ["io_error", "exists already"],
};

/** Returns the failure for a system error, with a message that says what to do. `path` is as the model wrote it. */
export function systemFailure(error: unknown, path: string): Failure {
  const code = errorCode(error);
  const meaning = meanings[code];
  if (meaning === undefined) {
    return refused(
      "io_error",
      `"${path}" could not be used: the system reports ${code}. Try again or ask the person.`,
    );
  }
  return refused(meaning[0], `"${path}" ${meaning[1]} (${code}).`);
}
