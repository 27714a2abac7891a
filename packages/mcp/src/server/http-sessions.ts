/** Keeps the sessions of clients that speak a revision of the protocol before 2026-07-28 over HTTP. */
import { randomUUID } from "node:crypto";
import { type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { maxMessageBytes } from "./max-message-bytes.ts";

export interface HttpSessions {
  answer(request: Request): Promise<Response>;
  close(): Promise<void>;
}

interface HttpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: Server;
}

const sessionHeader = "mcp-session-id";

/**
 * The maximum number of sessions that are kept. A further session ends the session that has not been used for
 * longest.
 */
const maxSessions = 64;

export function createHttpSessions(create: () => Server, onError: (error: Error) => void): HttpSessions {
  /** The sessions by id. The session that was used last is at the end. */
  const sessions = new Map<string, HttpSession>();

  async function open(request: Request): Promise<Response> {
    const server = create();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: maxMessageBytes,
      onsessioninitialized: (id) => void sessions.set(id, { transport, server }),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    server.onerror = onError;
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await server.close();
    await endOldest();
    return response;
  }

  async function endOldest(): Promise<void> {
    const [oldest] = sessions;
    if (oldest === undefined || sessions.size <= maxSessions) return;
    sessions.delete(oldest[0]);
    await oldest[1].server.close();
  }

  return {
    async answer(request) {
      const id = request.headers.get(sessionHeader);
      if (id === null) return await open(request);
      const session = sessions.get(id);
      if (session === undefined) return unknownSession();
      sessions.delete(id);
      sessions.set(id, session);
      return await session.transport.handleRequest(request);
    },
    async close() {
      const all = [...sessions.values()];
      sessions.clear();
      await Promise.all(all.map(({ server }) => server.close()));
    },
  };
}

/** Returns the answer to a request with an unknown session id. The client then begins a new session. */
function unknownSession(): Response {
  const error = { code: -32001, message: "there is no such session: begin with initialize" };
  return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 404 });
}
