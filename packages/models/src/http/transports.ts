/** Opens HTTP requests directly or through the proxy that the environment names. Keeps the connections of each way. */
import { Agent, request as requestHttp } from "node:http";
import type { NamedProxy } from "./proxy/proxy.ts";
import type { Transport } from "./transport.ts";
import type { CertificateTrust } from "./trust-certificate.ts";

export interface TransportsOptions {
  /** True to keep idle connections. They do not keep the process alive. */
  readonly keepAlive: boolean;
  /** The certificate of the servers to trust instead of those that the system trusts. */
  readonly trust?: CertificateTrust | undefined;
}

export interface Transports {
  /** Returns the way to servers with http or https. Loads the code for TLS and for proxies at their first use. */
  to(isSecure: boolean, proxy: NamedProxy | undefined): Promise<Transport>;
  /** Closes the connections that are kept. */
  close(): void;
}

export function createTransports({ keepAlive, trust }: TransportsOptions): Transports {
  const kept = new Map<string, Promise<Transport>>();
  const agents: Agent[] = [];
  const keepAgent = <Kind extends Agent>(agent: Kind): Kind => {
    agents.push(agent);
    return agent;
  };
  const direct = async (isSecure: boolean): Promise<Transport> => {
    // Loading TLS takes 8 ms, so it is loaded only when needed.
    const secure = isSecure ? await import("node:https") : undefined;
    const agent = keepAgent(new (secure?.Agent ?? Agent)({ keepAlive, ...(secure && trust) }));
    const request = secure?.request ?? requestHttp;
    return { open: (url, options) => request(url, { ...options, agent }) };
  };
  const proxied = async (isSecure: boolean, proxy: NamedProxy): Promise<Transport> => {
    const { forwardTransport, tunnelTransport } = await import("./proxy/proxy-transport.ts");
    if (isSecure || proxy.kind === "socks5") {
      return tunnelTransport(isSecure, proxy, { keepAlive, ...trust }, keepAgent);
    }
    return forwardTransport(proxy, { keepAlive }, keepAgent);
  };
  return {
    to(isSecure, proxy) {
      const key = `${isSecure} ${proxy === undefined ? "" : JSON.stringify(proxy)}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      const made = proxy === undefined ? direct(isSecure) : proxied(isSecure, proxy);
      kept.set(key, made);
      return made;
    },
    close: () => {
      for (const agent of agents) agent.destroy();
    },
  };
}
