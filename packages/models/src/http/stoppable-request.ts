/** Opens a request that can be ended at any time, also while a connection through a proxy is made step by step. */
import type { ClientRequest, RequestOptions } from "node:http";
import type { Transport } from "./transport.ts";

export interface StoppableRequest {
  readonly outgoing: ClientRequest;
  /** Ends the request. The request emits an error, which need not be this one. */
  stop(error: Error): void;
  /** Returns the error of the first call of `stop`, or else the error itself. */
  reasonFor(error: NodeJS.ErrnoException): NodeJS.ErrnoException;
}

/** Opens the request. Throws if Node refuses a header. */
export function openStoppable(transport: Transport, url: URL, options: RequestOptions): StoppableRequest {
  const stopping = transport.proxy === undefined ? undefined : new AbortController();
  const outgoing = transport.open(url, {
    ...options,
    ...(stopping === undefined ? {} : { signal: stopping.signal }),
  });
  let reason: Error | undefined;
  return {
    outgoing,
    stop(error) {
      reason ??= error;
      outgoing.destroy(error);
      // Node does not end a request that has no connection yet.
      stopping?.abort();
    },
    reasonFor: (error) => reason ?? error,
  };
}
