/**
 * Reads and writes the compiled code of a file of the bundle. The code is followed by a line with the number of runs
 * that have saved it, and a checksum of source and code. The checksum is needed, because V8 would accept incomplete
 * code, and code of another source with the same length.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface KeptCode {
  readonly code: Buffer;
  /** The number of runs that have saved this code. */
  readonly times: number;
}

/**
 * Loads a module of Node when it is first used, because `node:zlib` takes a millisecond and some starts do not need it.
 */
type Require = (id: string) => unknown;

/** A file of the bundle. */
export interface Source {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Returns the saved code; undefined if there is none for this source or if it is incomplete. Never throws. */
export function readCode(folder: string, source: Source, load: Require): KeptCode | undefined {
  try {
    const bytes = readFileSync(placeOf(folder, source.name));
    const end = bytes.lastIndexOf("\n");
    const code = bytes.subarray(0, end);
    const [times, checksum] = bytes
      .subarray(end + 1)
      .toString()
      .split(" ");
    if (checksum !== checksumOf(source, code, load)) return undefined;
    return { code, times: Number(times) };
  } catch {
    return undefined;
  }
}

/**
 * Saves the code, in place of the code of another version. Never throws: after a failure the next run compiles again.
 */
export function keepCode(folder: string, source: Source, { code, times }: KeptCode, load: Require): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const line = Buffer.from(`\n${times} ${checksumOf(source, code, load)}`);
    writeFileSync(placeOf(folder, source.name), Buffer.concat([code, line]), { mode: 0o600 });
  } catch {
    // Without saved code the next start is only slower.
  }
}

/** Returns the path of the saved code, such as `session.code` for `session-CxZ9a_1b.cjs`. */
function placeOf(folder: string, name: string): string {
  return join(folder, `${name.replace(/-[\w-]{8}\.cjs$/, "")}.code`);
}

function checksumOf({ bytes }: Source, code: Buffer, load: Require): string {
  const { crc32 } = load("node:zlib") as typeof import("node:zlib");
  return String(crc32(code, crc32(bytes)));
}
