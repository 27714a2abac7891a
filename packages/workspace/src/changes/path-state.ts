/** Describes what exists at a path, in enough detail to detect a change and to restore it. */
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";
import { statsAt } from "../paths/stats-at.ts";

/** The reason why the content of a file was not kept. */
export type NotKept = "size" | "secret" | "turn" | "unreadable" | "disk" | "quota";

export type PathState =
  | { readonly kind: "absent" }
  | {
      readonly kind: "file";
      /** SHA-256 of the content in hex; empty if it was not read. */
      readonly hash: string;
      readonly size: number;
      /** The permission bits. */
      readonly mode: number;
      /** The reason why the content was not kept; absent if it was. */
      readonly notKept?: NotKept;
    }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "folder"; readonly mode: number }
  /** Anything else: a pipe, a socket, a device. */
  | { readonly kind: "other" };

export const absent: PathState = { kind: "absent" };

/** Returns true if kind and content are the same; false for an unread file or for `other`. Ignores modes. */
export function sameState(one: PathState, other: PathState): boolean {
  switch (one.kind) {
    case "file":
      return other.kind === "file" && one.hash !== "" && one.hash === other.hash;
    case "link":
      return other.kind === "link" && one.target === other.target;
    case "other":
      return false;
    case "absent":
    case "folder":
      return other.kind === one.kind;
  }
}

/** Returns the permission bits of a file or folder; undefined for anything else. */
export function modeOf(state: PathState): number | undefined {
  return state.kind === "file" || state.kind === "folder" ? state.mode : undefined;
}

export async function fileState(bytes: Uint8Array, mode: number): Promise<PathState & { kind: "file" }> {
  const { hash } = await import("node:crypto");
  return { kind: "file", hash: hash("sha256", bytes, "hex"), size: bytes.length, mode: mode & 0o777 };
}

/** Returns the state of `path`, with the bytes of a readable file of at most `maxBytes`. Does not follow links. */
export async function readState(
  path: string,
  maxBytes: number,
  stats: Stats | undefined = statsAt(path),
): Promise<{ readonly state: PathState; readonly bytes?: Buffer }> {
  if (stats === undefined) return { state: absent };
  const mode = stats.mode & 0o777;
  if (stats.isSymbolicLink()) return { state: { kind: "link", target: readlinkSync(path) } };
  if (stats.isDirectory()) return { state: { kind: "folder", mode } };
  if (!stats.isFile()) return { state: { kind: "other" } };
  if (stats.size > maxBytes) {
    return { state: { kind: "file", hash: "", size: stats.size, mode, notKept: "size" } };
  }
  const bytes = await readSame(path, stats);
  return bytes === undefined
    ? { state: { kind: "file", hash: "", size: stats.size, mode, notKept: "unreadable" } }
    : { state: await fileState(bytes, mode), bytes };
}

/** Returns the bytes of the file; undefined if it cannot be read, or if another file has taken its place since `stats`. */
async function readSame(path: string, stats: Stats): Promise<Buffer | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    if (stats.size <= smallBytes) return readSmall(path, flags, stats);
    const file = await open(path, flags);
    try {
      const now = await file.stat();
      return now.ino === stats.ino && now.dev === stats.dev ? await file.readFile() : undefined;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/**
 * The maximum size of a file that is read synchronously, which is ten times as fast for the many files of a removed
 * folder.
 */
const smallBytes = 256 * 1024;

function readSmall(path: string, flags: number, stats: Stats): Buffer | undefined {
  const descriptor = openSync(path, flags);
  try {
    const now = fstatSync(descriptor);
    return now.ino === stats.ino && now.dev === stats.dev ? readFileSync(descriptor) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Opens a folder on Linux and returns its descriptor, which the caller closes. `/proc/self/fd/N` leads to this folder even
 * if another folder takes its place. Throws the system's error, also for a link. Returns undefined on other systems.
 */
export function holdDescriptor(path: string): number | undefined {
  return process.platform === "linux"
    ? openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
    : undefined;
}
