/** Opens WebSocket connections to addresses that the person has named. Follows no redirects, and never compresses. */
import { reasonOf } from "@localharness/protocol";
import { type FrameSocket, frameSocket, maxFrameBytes } from "./frame-socket.ts";

const connectMs = 10_000;

/**
 * Resolves to the open connection. Rejects with an `Error` whose message has the address and the reason, also if the signal
 * aborts before. A later abort has no effect.
 */
export async function openSocket(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<FrameSocket> {
  const { WebSocket } = await import("ws");
  const socket = new WebSocket(url, {
    headers,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    handshakeTimeout: connectMs,
    followRedirects: false,
  });
  return new Promise((resolve, reject) => {
    const abort = () => socket.terminate();
    const fail = (reason: string) => {
      signal.removeEventListener("abort", abort);
      reject(new Error(`${url}: ${reason}`));
    };
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    socket.once("open", () => {
      signal.removeEventListener("abort", abort);
      resolve(frameSocket(socket));
    });
    socket.once("unexpected-response", (request, response) => {
      request.destroy();
      fail(statusText(response.statusCode ?? 0));
    });
    socket.on("error", (error) => fail(reasonOf(error)));
  });
}

function statusText(status: number): string {
  if (status === 401) return "it does not know this token; it may have been revoked";
  if (status === 421) return "it is not reached under this name";
  return `it answered with status ${status} instead of a WebSocket`;
}
