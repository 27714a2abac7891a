/** Opens WebSocket connections to addresses that the person has named. Follows no redirects, and never compresses. */
import type { Agent } from "node:http";
import { reasonOf } from "@localharness/protocol";
import { certificateAdvice } from "./certificate-advice.ts";
import { type FrameSocket, frameSocket, maxFrameBytes } from "./frame-socket.ts";
import { ProxyProblem } from "./proxy/proxy.ts";
import { isSecure } from "./proxy/proxy-rules.ts";
import { createWayOut, type Environment } from "./way-out.ts";

const connectMs = 10_000;

/**
 * Resolves to the open connection. Rejects with an `Error` whose message has the address and the reason, also if the signal
 * aborts before. A later abort has no effect.
 */
export async function openSocket(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  environment: Environment = process.env,
): Promise<FrameSocket> {
  const { WebSocket } = await import("ws");
  const agent = await agentFor(url, environment);
  const socket = new WebSocket(url, {
    headers,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    handshakeTimeout: connectMs,
    followRedirects: false,
    ...(agent === undefined ? {} : { agent }),
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
    socket.on("error", (error) => {
      const told = error instanceof ProxyProblem ? error.message : certificateAdvice(error, "the server");
      fail(told ?? reasonOf(error));
    });
  });
}

/** Returns the agent that connects through a proxy; undefined if the server is reached directly. */
async function agentFor(address: string, environment: Environment): Promise<Agent | undefined> {
  const url = new URL(address);
  const proxy = await createWayOut(environment)(url);
  if (proxy === undefined) return undefined;
  const { secureTunnelAgent, tunnelAgent } = await import("./proxy/proxy-agent.ts");
  return isSecure(url) ? secureTunnelAgent(proxy, {}) : tunnelAgent(proxy, {});
}

function statusText(status: number): string {
  if (status === 401) return "it does not know this token; it may have been revoked";
  if (status === 421) return "it is not reached under this name";
  return `it answered with status ${status} instead of a WebSocket`;
}
