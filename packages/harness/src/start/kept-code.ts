/**
 * Reads and writes the compiled code of a file of the bundle. A file has the code and then a line with the number of runs
 * that kept it and a checksum of source and code: V8 takes code of any source of the same length, and code that was
 * written in part.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface KeptCode {
  readonly code: Buffer;
  /** The number of runs that have kept it. */
  readonly times: number;
}

/** Loads a module of Node: `node:zlib` takes a millisecond, which a start that needs no code should not pay. */
type Require = (id: string) => unknown;

/** A file of the bundle. */
export interface Source {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Returns undefined when there is none of this source, or it is incomplete. Never throws. */
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

/** Writes the code in place of what another version may have kept. Never throws: the next run compiles again. */
export function keepCode(folder: string, source: Source, { code, times }: KeptCode, load: Require): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const line = Buffer.from(`\n${times} ${checksumOf(source, code, load)}`);
    writeFileSync(placeOf(folder, source.name), Buffer.concat([code, line]), { mode: 0o600 });
  } catch {
    // A start without compiled code is slower, nothing else.
  }
}

/** `session-CxZ9a_1b.cjs` is kept as `session.code`. */
function placeOf(folder: string, name: string): string {
  return join(folder, `${name.replace(/-[\w-]{8}\.cjs$/, "")}.code`);
}

function checksumOf({ bytes }: Source, code: Buffer, load: Require): string {
  const { crc32 } = load("node:zlib") as typeof import("node:zlib");
  return String(crc32(code, crc32(bytes)));
}
