/** Declares the interface for requests to model servers. Sockets, a recording and a replay implement it. */

export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The failure of a request, before or during the answer. The message is a whole sentence without keys. */
export interface HttpFailure {
  readonly kind:
    | "refused"
    | "unreachable"
    | "connect-timeout"
    | "dropped"
    /** The proxy failed. The same request may succeed a little later. */
    | "proxy"
    /** The proxy refuses such requests, or its address cannot be used. */
    | "proxy-refused"
    /** No connection with TLS is possible. The message says what to do. */
    | "certificate"
    | "aborted"
    | "unreadable"
    /** A failure on this machine: the request cannot be sent, or its recording cannot be written. */
    | "local";
  readonly message: string;
}

/** An answer whose head has arrived. It may have any status. */
export interface HttpResponse {
  readonly kind: "response";
  readonly status: number;
  /** The headers, with their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The decoded text, in the parts in which it arrives. If the answer fails, the failure is the last part. If the
   * reader stops early, the connection is closed.
   */
  readonly parts: AsyncIterable<string | HttpFailure>;
}

export interface Http {
  /**
   * Sends one request, without following redirects. Never rejects; resolves to a failure instead. If the signal aborts,
   * closes the connection at once and gives the failure `aborted`, either as the result or as the last part.
   * Calls `onConnected` when the connection is open.
   */
  send(
    request: HttpRequest,
    signal: AbortSignal,
    onConnected?: () => void,
  ): Promise<HttpResponse | HttpFailure>;
}
