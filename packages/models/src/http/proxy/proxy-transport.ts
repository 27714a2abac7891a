/** Opens requests through a proxy: whole requests for http, a tunnel for https and for SOCKS. */
import { type Agent, type AgentOptions, type RequestOptions, request as requestHttp } from "node:http";
import { urlToHttpOptions } from "node:url";
import type { Transport } from "../transport.ts";
import { proxyHeaders } from "./http-tunnel.ts";
import type { NamedProxy } from "./proxy.ts";
import { forwardAgent, secureTunnelAgent, type Target, tunnelAgent } from "./proxy-agent.ts";

type Keep = <Kind extends Agent>(agent: Kind) => Kind;

/** Returns the way for http through an HTTP proxy, which gets each request with the whole URL. */
export function forwardTransport(proxy: NamedProxy, options: AgentOptions, keep: Keep): Transport {
  const agent = keep(forwardAgent(proxy, options));
  return {
    proxy,
    forwards: true,
    open(url, { headers, lookup: _proxyLooksUp, ...rest }) {
      const { auth } = urlToHttpOptions(url);
      return requestHttp({
        ...abortable(rest),
        ...(auth === undefined ? {} : { auth }),
        agent,
        host: proxy.host,
        port: proxy.port,
        path: `${url.origin}${url.pathname}${url.search}`,
        headers: { ...headers, host: url.host, ...proxyHeaders(proxy) },
      });
    },
  };
}

/** Returns the way through a tunnel. Only the server gets the request; with TLS, the proxy cannot read it. */
export async function tunnelTransport(
  isSecure: boolean,
  proxy: NamedProxy,
  options: AgentOptions,
  keep: Keep,
): Promise<Transport> {
  const agent = keep(isSecure ? await secureTunnelAgent(proxy, options) : tunnelAgent(proxy, options));
  const request = isSecure ? (await import("node:https")).request : requestHttp;
  return {
    proxy,
    open: (url, { lookup: _proxyLooksUp, ...rest }) => request(url, { ...abortable(rest), agent }),
  };
}

/** Returns the options with the signal under a name that Node passes on to the agent. */
function abortable(options: RequestOptions): RequestOptions & Pick<Target, "whileConnecting"> {
  return { ...options, whileConnecting: options.signal };
}
