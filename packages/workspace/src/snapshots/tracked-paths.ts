/** Reads the paths in git's index, without git. */
import { lstatSync } from "node:fs";
import { bytesOf } from "../git-files/git-file.ts";

const maxIndexBytes = 64 * 1024 * 1024;
const headerBytes = 12;
/** The bytes of an entry before its flags: times, device, inode, mode, owner, size and the hash of SHA-1 or SHA-256. */
const beforeFlags = { sha1: 60, sha256: 72 } as const;

/**
 * Returns the paths of an index, in its order; none if it is absent, too large, or of an unknown form, such as a split index.
 * `hash` is the hash of the repository's objects.
 */
export function readTrackedPaths(index: string, hash: keyof typeof beforeFlags = "sha1"): readonly string[] {
  try {
    const isFile = lstatSync(index, { throwIfNoEntry: false })?.isFile() === true;
    const bytes = isFile ? bytesOf(index, maxIndexBytes) : undefined;
    return bytes === undefined ? [] : pathsOf(bytes, beforeFlags[hash]);
  } catch {
    return [];
  }
}

function pathsOf(bytes: Buffer, flagsAt: number): readonly string[] {
  const version = bytes.readUInt32BE(4);
  if (bytes.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) return [];
  const count = bytes.readUInt32BE(8);
  const paths: string[] = [];
  let at = headerBytes;
  let previous: Buffer = Buffer.alloc(0);
  for (let entry = 0; entry < count; entry += 1) {
    const isExtended = (bytes.readUInt16BE(at + flagsAt) & 0x4000) !== 0;
    const nameAt = at + flagsAt + (isExtended ? 4 : 2);
    const { start, kept } =
      version === 4 ? readKept(bytes, nameAt, previous.length) : { start: nameAt, kept: 0 };
    const end = bytes.indexOf(0, start);
    if (end === -1) return [];
    const name =
      kept === 0
        ? bytes.subarray(start, end)
        : Buffer.concat([previous.subarray(0, kept), bytes.subarray(start, end)]);
    paths.push(name.toString("utf8"));
    previous = name;
    // Before version 4 an entry is filled with zeros to a multiple of 8 bytes.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  return paths;
}

/** Reads how many bytes of the previous path an entry of version 4 keeps; the number of removed bytes is stored. */
function readKept(
  bytes: Buffer,
  from: number,
  length: number,
): { readonly start: number; readonly kept: number } {
  let at = from;
  let byte = bytes.readUInt8(at);
  let removed = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    at += 1;
    byte = bytes.readUInt8(at);
    removed = ((removed + 1) << 7) | (byte & 0x7f);
  }
  return { start: at + 1, kept: Math.max(0, length - removed) };
}
