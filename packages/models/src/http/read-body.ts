/** Reads the body of an answer, decompressed, up to a maximum number of bytes. */
import type { IncomingMessage } from "node:http";
import { pipeline, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export const acceptedEncodings = "gzip, deflate, br";

/**
 * Reads at most `maxBytes`, counted after decompression; `cut` is true if there are more. Rejects if the body is
 * incomplete or cannot be decompressed.
 */
export async function readBody(
  incoming: IncomingMessage,
  maxBytes: number,
): Promise<{ readonly body: Buffer; readonly cut: boolean }> {
  const encoding = incoming.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined;
  if (decoder === undefined && !/^(identity)?$/.test(encoding)) {
    throw new Error(`content-encoding ${encoding.slice(0, 40)}`);
  }
  // `pipeline` needs a callback. It does nothing here, because an error also ends the loop below.
  const stream = decoder === undefined ? incoming : pipeline(incoming, decoder, () => undefined);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), cut: bytes > maxBytes };
}
