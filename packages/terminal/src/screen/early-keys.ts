/**
 * Reads the keys that were typed before the screen took over the terminal, while the terminal still edited lines
 * itself.
 */
import { closeSync, constants, openSync, readSync } from "node:fs";

/** The maximum number of bytes to read; a terminal keeps at most 4 KB. */
const maxBytes = 64 * 1024;

/** Returns the keys that wait in the terminal; empty if there are none. The terminal must already be in raw mode. */
export function readEarlyKeys(): string {
  let descriptor: number | undefined;
  const pieces: Buffer[] = [];
  try {
    // The terminal is opened again in non-blocking mode, because a read of the existing descriptor would wait for keys.
    const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;
    descriptor = openSync("/dev/tty", O_RDONLY | O_NONBLOCK | O_NOCTTY);
    for (let left = maxBytes; left > 0; ) {
      const piece = Buffer.alloc(4_096);
      const size = readSync(descriptor, piece);
      if (size === 0) break;
      pieces.push(piece.subarray(0, size));
      left -= size;
    }
  } catch {
    // There are no more keys (EAGAIN), or the process has no terminal.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
  return Buffer.concat(pieces).toString("utf8");
}

export interface EarlyInput {
  /** The keys, with Enter as the terminal sends it in raw mode. */
  readonly keys: string;
  /** Text that may be a paste, because it has several lines; nothing in it may be sent or run. */
  readonly pasted: string;
}

/**
 * Sorts the keys into typed keys and a possible paste. A terminal that edits lines itself turns Enter into a line feed,
 * and does not mark pastes.
 */
export function sortEarlyKeys(text: string): EarlyInput {
  const line = text.replace(/\n$/, "");
  if (line.includes("\n")) return { keys: "", pasted: line };
  return { keys: text.replace("\n", "\r"), pasted: "" };
}
