/** Listens on this machine for MCP clients that have the token. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { usageError } from "@localharness/engine";
import { type Offer, serveOverHttp } from "@localharness/mcp/server";
import { listen } from "@localharness/models/listen-door";
import { reasonOf } from "@localharness/protocol";
import { version } from "../../compose/version.ts";

export interface ClientsParts {
  /** 0 for a free port. */
  readonly port: number;
  /** Returns the token that holds now; another process may replace it. */
  readToken(): Promise<string>;
  onError(error: Error): void;
}

export interface ListeningForClients {
  readonly address: string;
  close(): Promise<void>;
}

const host = "127.0.0.1";
const path = "/mcp";

/** Resolves when the server listens. Rejects with a `HarnessError` if it cannot listen on the port. */
export async function listenForClients(
  offer: Offer,
  { port, readToken, onError }: ClientsParts,
): Promise<ListeningForClients> {
  const service = serveOverHttp(offer, { version, onError });
  const authorize = async (request: IncomingMessage) =>
    isBearer(request.headers.authorization, await readToken()) ? true : undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isHere = request.url?.split("?", 1)[0] === path;
    if (!isHere) return refuse(response, 404, `this server answers at ${path}`);
    const isKnown = await authorize(request).catch(() => undefined);
    if (isKnown === undefined) return refuse(response, 401, "expected Authorization: Bearer TOKEN");
    service.answer(request, response);
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse) => void answer(request, response);
  const listening = await listen({ host, port, authorize, onRequest }).catch((error: unknown) => {
    throw usageError(
      `cannot listen at ${host}:${port}: ${reasonOf(error)}; --port 0 takes a free port`,
      error,
    );
  });
  return {
    address: `http://${host}:${listening.port}${path}`,
    async close() {
      await service.close();
      await listening.close();
    },
  };
}

function isBearer(header: string | undefined, token: string): boolean {
  const given = /^Bearer ([\w.~+/-]+=*)$/i.exec(header ?? "")?.[1] ?? "";
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return token !== "" && timingSafeEqual(digest(given), digest(token));
}

function refuse(response: ServerResponse, status: 401 | 404, message: string): void {
  const text = JSON.stringify({ error: message });
  response
    .writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
      connection: "close",
      ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
    })
    .end(text);
}
