/** A model server that answers each request with tokens at a steady rate. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface TokenRate {
  readonly tokens: number;
  readonly everyMs: number;
  /** Returns the token at a place. */
  token(at: number): string;
}

/** 100 tokens at 50 a second. Each token is the time at which it was sent. */
const usual: TokenRate = { tokens: 100, everyMs: 20, token: () => `${Date.now()} ` };

export interface Tokens extends AsyncDisposable {
  readonly baseUrl: string;
}

export async function startTokens({ tokens, everyMs, token }: TokenRate = usual): Promise<Tokens> {
  const server = createServer((request, response) => {
    request.resume();
    if (!request.url?.endsWith("/chat/completions")) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    const send = (delta: object, finish: string | null) =>
      response.write(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
      );
    let left = tokens;
    const timer = setInterval(() => {
      send({ content: token(tokens - left) }, null);
      left -= 1;
      if (left > 0) return;
      clearInterval(timer);
      send({}, "stop");
      response.end("data: [DONE]\n\n");
    }, everyMs);
    response.once("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
