/** Reads a file line by line in chunks of 1 MB, so that even a large file does not block the event loop for long. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { requirePlain, withoutWaiting } from "@localharness/workspace/files/plain-file";

const pieceBytes = 1024 * 1024;
/** The maximum length of a line in bytes. A longer line loses a part of its bytes; this program never writes one. */
const maxLineBytes = 256 * 1024 * 1024;

export interface FileLine {
  readonly text: string;
  /** False for a last line that has no line break. */
  readonly ended: boolean;
}

/**
 * Yields the lines of a file, one array for each chunk in which a line ends. If `signal` aborts, the generator ends
 * early; its last line may then be a part of a line. Throws the file system's error, or an error if the path is not a
 * regular file.
 */
export async function* readLines(path: string, signal?: AbortSignal): AsyncGenerator<readonly FileLine[]> {
  const file = await open(path, withoutWaiting(constants.O_RDONLY));
  try {
    requirePlain(await file.stat());
    let rest: Buffer[] = [];
    let held = 0;
    const buffer = Buffer.allocUnsafe(pieceBytes);
    for (let at = 0; signal?.aborted !== true; ) {
      const { bytesRead } = await file.read(buffer, 0, pieceBytes, at);
      const piece = buffer.subarray(0, bytesRead);
      if (piece.length === 0) break;
      at += piece.length;
      const lines: FileLine[] = [];
      let from = 0;
      for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, from)) {
        const part = piece.subarray(from, end);
        const bytes = rest.length === 0 ? part : Buffer.concat([...rest, part]);
        rest = [];
        held = 0;
        lines.push({ text: bytes.toString("utf8"), ended: true });
        from = end + 1;
      }
      const left = piece.subarray(from);
      held += left.length;
      if (left.length > 0 && held <= maxLineBytes) rest.push(Buffer.from(left));
      if (lines.length > 0) yield lines;
    }
    if (held > 0) yield [{ text: Buffer.concat(rest).toString("utf8"), ended: false }];
  } finally {
    await file.close();
  }
}
