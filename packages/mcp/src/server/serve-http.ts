/** Serves an offer over streamable HTTP, also to clients of a revision of the protocol before 2026-07-28. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createMcpHandler, isLegacyRequest, type Server } from "@modelcontextprotocol/server";
import { createHttpSessions } from "./http-sessions.ts";
import { maxMessageBytes } from "./max-message-bytes.ts";
import type { Offer } from "./offer.ts";
import { createRounds, type Rounds } from "./rounds.ts";
import { serveOffer } from "./serve-offer.ts";

export interface HttpParts {
  readonly version: string;
  onError(error: Error): void;
  /** Creates the server of one session, or of one request; by default the server of the offer. */
  createServer?(rounds: Rounds): Server;
}

export interface HttpService {
  /** Answers a request whose Host, Origin, path and token were judged before. */
  answer(request: IncomingMessage, response: ServerResponse): void;
  /** Ends all sessions and all work that waits for an answer. */
  close(): Promise<void>;
}

export function serveOverHttp(offer: Offer, parts: HttpParts): HttpService {
  const { version, onError } = parts;
  const rounds = createRounds();
  const create = () => parts.createServer?.(rounds) ?? serveOffer(offer, rounds, version);
  const limits = { maxRequestBodySize: maxMessageBytes };
  const modern = createMcpHandler(create, { ...limits, legacy: "reject", onerror: onError });
  const sessions = createHttpSessions(create, onError);
  const serve = async (request: Request): Promise<Response> =>
    (await isLegacyRequest(request, undefined, limits))
      ? await sessions.answer(request)
      : await modern.fetch(request);
  const listener = getRequestListener(serve, { overrideGlobalObjects: false });
  return {
    answer: (request, response) => void listener(request, response),
    async close() {
      rounds.close();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}
