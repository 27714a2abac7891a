/**
 * Reads and writes the compiled code of a file of the bundle. The code is followed by a line with the number of runs
 * that have saved it, and a checksum of source and code. The checksum is needed, because V8 would accept incomplete
 * code, and code of another source with the same length.
 */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface KeptCode {
  readonly code: Buffer<ArrayBuffer>;
  /** The number of runs that have saved this code. */
  readonly times: number;
}

/**
 * Loads a module of Node when it is first used, because `node:zlib` takes a millisecond and some starts do not need it.
 */
type Require = (id: string) => unknown;

/** A file of the bundle. */
export interface BundleFile {
  /** The path of its saved code, such as `session.code` for `session-CxZ9a_1b.cjs`. */
  readonly place: string;
  /** The CRC-32 of its text. */
  readonly sum: number;
}

/** Returns the place of the saved code of a file, and the checksum of the file. */
export function sourceOf(folder: string, name: string, bytes: Buffer, load: Require): BundleFile {
  const place = join(folder, `${name.replace(/-[\w-]{8}\.cjs$/, "")}.code`);
  return { place, sum: crcOf(load)(bytes) };
}

/** Returns the saved code; undefined if there is none for this source or if it is incomplete. Never throws. */
export function readCode({ place, sum }: BundleFile, load: Require): KeptCode | undefined {
  try {
    const bytes = readFileSync(place);
    const end = bytes.lastIndexOf("\n");
    const code = bytes.subarray(0, end);
    const [times, checksum] = bytes
      .subarray(end + 1)
      .toString()
      .split(" ");
    if (checksum !== String(crcOf(load)(code, sum))) return undefined;
    return { code, times: Number(times) };
  } catch {
    return undefined;
  }
}

/**
 * Saves the code, in place of the code of another version. Never throws: after a failure the next run compiles again.
 */
export function keepCode({ place, sum }: BundleFile, { code, times }: KeptCode, load: Require): void {
  try {
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    writeFileSync(place, code, { mode: 0o600 });
    appendFileSync(place, `\n${times} ${crcOf(load)(code, sum)}`);
  } catch {
    // Without saved code the next start is only slower.
  }
}

function crcOf(load: Require): typeof import("node:zlib").crc32 {
  return (load("node:zlib") as typeof import("node:zlib")).crc32;
}
