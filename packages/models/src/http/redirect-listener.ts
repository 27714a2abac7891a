/** Listens on loopback for the one request with which a browser ends a sign-in. */
import { timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface LoopbackListener {
  /** The address to which the browser is sent, with the port. */
  readonly url: string;
  /**
   * Resolves to the parameters of the first request that has exactly this `state`. Requests without it are refused and change
   * nothing. Rejects when the signal aborts.
   */
  answer(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  close(): void;
}

const path = "/callback";
const page = "Local Harness has received the answer. You can close this page and go back to the terminal.\n";

/** Starts to listen; on a free port if `port` is 0. Rejects if the port is taken. */
export async function listenForRedirect(port: number): Promise<LoopbackListener> {
  let received: ((parameters: URLSearchParams) => void) | undefined;
  let expected: string | undefined;
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    const parameters = parametersOf(request, host());
    const isExpected = expected !== undefined && isSame(parameters?.get("state") ?? "", expected);
    const status = parameters === undefined ? 404 : isExpected ? 200 : 400;
    response.writeHead(status, {
      "content-type": "text/plain",
      "cache-control": "no-store",
      connection: "close",
    });
    response.end(isExpected ? page : "This is not the answer to the sign-in that is open.\n");
    if (isExpected && parameters !== undefined) {
      expected = undefined;
      received?.(parameters);
    }
  });
  server.maxConnections = 16;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const host = () => `127.0.0.1:${(server.address() as AddressInfo | null)?.port}`;
  return {
    url: `http://${host()}${path}`,
    answer: (state, signal) =>
      new Promise((resolve, reject) => {
        expected = state;
        received = resolve;
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        if (signal.aborted) reject(signal.reason);
      }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Returns the parameters of a request to the right path of exactly this host; undefined for any other request. */
function parametersOf(request: IncomingMessage, host: string): URLSearchParams | undefined {
  if (request.method !== "GET" || request.headers.host !== host) return undefined;
  const [found, query = ""] = (request.url ?? "").split("?", 2);
  return found === path ? new URLSearchParams(query) : undefined;
}

function isSame(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
