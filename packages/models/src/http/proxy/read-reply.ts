/** Reads the beginning of what a socket delivers, and leaves the rest for the next reader. */
import type { Duplex } from "node:stream";

/** The maximum number of bytes of a reply. */
const maxReplyBytes = 16 * 1024;

/**
 * Resolves to the reply. `lengthOf` returns its number of bytes as soon as the bytes so far tell it; undefined before. Rejects
 * if the connection ends before, and if the reply is too long.
 */
export function readReply(
  socket: Duplex,
  lengthOf: (bytes: Buffer) => number | undefined,
): Promise<Buffer<ArrayBufferLike>> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer<ArrayBufferLike> = Buffer.alloc(0);
    const stop = () => {
      socket.off("readable", read).off("end", onEnd).off("close", onEnd).off("error", fail);
    };
    const fail = (error: Error) => {
      stop();
      reject(error);
    };
    const onEnd = () => fail(new Error("closed the connection without an answer"));
    const read = () => {
      for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) {
        bytes = Buffer.concat([bytes, chunk]);
        const length = lengthOf(bytes);
        if (length !== undefined && length <= bytes.length) {
          stop();
          if (length < bytes.length) socket.unshift(bytes.subarray(length));
          resolve(bytes.subarray(0, length));
          return;
        }
        if (bytes.length > maxReplyBytes) return fail(new Error("sent an answer that is too long"));
      }
    };
    socket.on("readable", read).on("end", onEnd).on("close", onEnd).on("error", fail);
  });
}
