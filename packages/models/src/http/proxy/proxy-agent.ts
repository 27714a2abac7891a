/** Creates the agents of HTTP requests that go through a proxy. */
import { Agent, type AgentOptions } from "node:http";
import type { Agent as SecureAgent, AgentOptions as SecureAgentOptions } from "node:https";
import { connect as connectPlain, isIPv6 } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { reasonOf } from "@localharness/protocol";
import { certificateAdvice } from "../certificate-advice.ts";
import { openHttpTunnel } from "./http-tunnel.ts";
import { type NamedProxy, ProxyProblem, proxyName } from "./proxy.ts";
import { openSocksTunnel } from "./socks-tunnel.ts";

/** The time limit for the way to the proxy and through it, in milliseconds. The doors have limits that are not longer. */
const tunnelMs = 11_000;

/** What an agent knows about the connection that a request needs. */
export interface Target {
  readonly host?: string | null;
  readonly port?: string | number | null;
  /** Ends the attempt to connect. */
  readonly whileConnecting?: AbortSignal | undefined;
}

type Done = (error: Error | null, socket: Duplex) => void;

/**
 * Creates an agent for URLs with http. The proxy gets whole requests, so that the options of a request have the host and the
 * port of the proxy.
 */
export function forwardAgent(proxy: NamedProxy, options: AgentOptions): Agent {
  return withConnections(new Agent(options), ({ whileConnecting }) => reachProxy(proxy, whileConnecting));
}

/** Creates an agent for any protocol without TLS that goes through a tunnel. */
export function tunnelAgent(proxy: NamedProxy, options: AgentOptions): Agent {
  return withConnections(new Agent(options), (target) => openTunnel(proxy, target));
}

/** Creates an agent for URLs with https. Only the server can read what goes through the tunnel. */
export async function secureTunnelAgent(
  proxy: NamedProxy,
  options: SecureAgentOptions,
): Promise<SecureAgent> {
  const { Agent: Secure } = await import("node:https");
  const plainCreate = Secure.prototype.createConnection;
  return withConnections(new Secure(options), async (target, agent) => {
    const socket = await openTunnel(proxy, target);
    const secured = plainCreate.call(agent, { ...target, socket } as never) as TLSSocket;
    await settled(secured, "secureConnect", target.whileConnecting);
    return secured;
  });
}

/** Replaces how the agent connects. */
function withConnections<Kind extends Agent>(
  agent: Kind,
  create: (target: Target, agent: Kind) => Promise<Duplex>,
): Kind {
  agent.createConnection = (target: Target, done?: Done) => {
    create(target, agent).then(
      (socket) => done?.(null, socket),
      (error: Error) => done?.(error, undefined as never),
    );
    return undefined;
  };
  return agent;
}

async function openTunnel(
  proxy: NamedProxy,
  { host, port, whileConnecting: signal }: Target,
): Promise<Duplex> {
  const socket = await reachProxy(proxy, signal);
  const name = host ?? "localhost";
  const stop = new AbortController();
  const timer = setTimeout(() => socket.destroy(new Error("gave no answer in time")), tunnelMs);
  signal?.addEventListener("abort", () => socket.destroy(), { once: true, signal: stop.signal });
  try {
    if (proxy.kind === "socks5") await openSocksTunnel(socket, proxy, name, Number(port));
    else await openHttpTunnel(socket, proxy, `${isIPv6(name) ? `[${name}]` : name}:${port}`);
    return socket;
  } catch (error) {
    socket.destroy();
    if (error instanceof ProxyProblem) throw error;
    throw new ProxyProblem(`${proxyName(proxy)} ${tunnelReason(error)}.`, { mayPass: true, cause: error });
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

function tunnelReason(error: unknown): string {
  const isReset = error instanceof Error && "code" in error;
  return isReset ? `closed the connection without an answer (${error.code})` : reasonOf(error);
}

/** Resolves to an open connection to the proxy. Rejects with a `ProxyProblem`. */
async function reachProxy(proxy: NamedProxy, signal: AbortSignal | undefined): Promise<Duplex> {
  const { host, port, kind } = proxy;
  try {
    if (kind !== "https") return await settled(connectPlain({ host, port }), "connect", signal);
    const { connect } = await import("node:tls");
    const servername = /^[\d.]+$|:/.test(host) ? "" : host;
    return await settled(connect({ host, port, servername }), "secureConnect", signal);
  } catch (error) {
    const who = proxyName(proxy);
    const advice = certificateAdvice(error, who);
    if (advice !== undefined) throw new ProxyProblem(advice, { mayPass: false, cause: error });
    throw new ProxyProblem(`${who} ${reachReason(error)}.`, { mayPass: true, cause: error });
  }
}

const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refuses connections",
  ENOTFOUND: "was not found: there is no host of that name",
  EAI_AGAIN: "could not be looked up: the name server does not answer",
};

function reachReason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : reasonOf(error);
  return meanings[code] ?? `cannot be reached (${code})`;
}

/** Resolves to the socket when it emits the event. Rejects, and destroys it, if it fails before or if the signal aborts. */
function settled<Socket extends Duplex>(
  socket: Socket,
  event: "connect" | "secureConnect",
  signal: AbortSignal | undefined,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(new Error("gave no answer in time")), tunnelMs);
    const stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      socket.off("error", fail).off("close", onClose).off(event, ready);
    };
    const fail = (error: Error) => {
      stop();
      socket.on("error", () => undefined).destroy();
      reject(error);
    };
    const abort = () => fail(new Error("the request was aborted"));
    const onClose = () => fail(Object.assign(new Error("closed the connection"), { code: "ECONNRESET" }));
    const ready = () => {
      stop();
      resolve(socket);
    };
    socket.on("error", fail).on("close", onClose).on(event, ready);
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted === true) abort();
  });
}
