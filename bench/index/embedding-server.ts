/**
 * Serves embeddings on this machine without a model: each text becomes the hashed trigrams of its words. Such vectors know
 * spellings but no meanings, so that they measure the search with vectors, not a model.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const dimension = 256;

export interface EmbeddingServer extends AsyncDisposable {
  /** The address, without a path. */
  readonly origin: string;
}

export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      const { input } = JSON.parse(body) as { input: readonly string[] };
      response.end(JSON.stringify({ embeddings: input.map(trigramVector) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Returns the square root of the number of each hashed trigram, so that a frequent trigram does not decide alone. */
function trigramVector(text: string): readonly number[] {
  const counts = new Array<number>(dimension).fill(0);
  for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? []) {
    for (let at = 0; at + 3 <= word.length; at += 1) {
      const slot = hash(word.slice(at, at + 3)) % dimension;
      counts[slot] = (counts[slot] ?? 0) + 1;
    }
  }
  return counts.map((count) => Math.sqrt(count));
}

function hash(text: string): number {
  let value = 2_166_136_261;
  for (let at = 0; at < text.length; at += 1)
    value = Math.imul(value ^ text.charCodeAt(at), 16_777_619) >>> 0;
  return value;
}
