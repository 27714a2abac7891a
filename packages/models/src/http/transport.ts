/** Declares one way to send HTTP requests. */
import type { ClientRequest, RequestOptions } from "node:http";
import type { NamedProxy } from "./proxy/proxy.ts";

export interface Transport {
  /** The proxy through which requests go; absent if they go directly. */
  readonly proxy?: NamedProxy;
  /** True if the proxy gets whole requests, so that an answer may be the proxy's. */
  readonly forwards?: true;
  /** Opens a request. Throws if Node refuses a header. */
  open(url: URL, options: RequestOptions): ClientRequest;
}
