/** The one door to the network, as the adapters see it: sockets, a recording and its replay all look like this. */

export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Why no answer came, or why it stopped. Plain data; the message is a whole sentence without any key. */
export interface HttpFailure {
  readonly kind:
    | "refused"
    | "unreachable"
    | "connect-timeout"
    | "dropped"
    | "aborted"
    | "unreadable"
    /** On this side: the request cannot be written, its recording cannot be kept. */
    | "local";
  readonly message: string;
}

/** The answer's head is there; any status counts as an answer. */
export interface HttpResponse {
  readonly kind: "response";
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded text as it comes. A failure, if any, is the last part. Stopping early closes the connection. */
  readonly parts: AsyncIterable<string | HttpFailure>;
}

export interface Http {
  /**
   * Sends one request; follows no redirect. Never rejects: what goes wrong is the answer. When the signal aborts,
   * the connection is closed at once and the failure `aborted` comes, here or as the last part.
   */
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse | HttpFailure>;
}
