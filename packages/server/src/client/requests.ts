/** Sends requests to a server. */
import type { ConnectionOptions } from "node:tls";

export interface ServerPlace {
  /** The address with scheme and port, without a path. */
  readonly address: string;
  readonly key: string;
  /** The name that other clients see, such as `terminal on box`. */
  readonly name: string;
  /** Sends a request; by default the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Options of TLS connections for the WebSocket, such as the certificate to trust. */
  readonly tls?: Pick<ConnectionOptions, "ca" | "allowPartialTrustChain" | "checkServerIdentity">;
}

export interface Requests {
  /** Returns the JSON of the reply. Rejects with an `Error` for the person when the server refuses or is not there. */
  get(path: string, signal?: AbortSignal): Promise<unknown>;
  post(path: string, body: object, options?: PostOptions): Promise<unknown>;
  /** Calls `take` with each value of a reply of JSON lines. */
  postForLines(
    path: string,
    body: object,
    take: (value: unknown) => void,
    signal?: AbortSignal,
  ): Promise<void>;
}

export interface PostOptions {
  readonly signal?: AbortSignal;
  /** An id with which the server recognises a request that is sent again. */
  readonly requestKey?: string;
}

/** The server refused a request. A request that did not reach the server rejects with another error. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  /** The HTTP status of the reply. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

export function createRequests({ address, key, name, fetch: ask = fetch }: ServerPlace): Requests {
  const headers = {
    Authorization: `Bearer ${key}`,
    "Content-Type": "application/json",
    "Localharness-Client": encodeName(name),
  };
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const response = await ask(`${address}${path}`, { ...init, redirect: "error" }).catch(
      (error: unknown) => {
        throw new Error(`the server at ${address} does not answer${becauseOfTls(error)}`, { cause: error });
      },
    );
    if (!response.ok) throw new RefusedError(await reasonFrom(response), response.status);
    return response;
  };
  const post = (path: string, body: object, { signal, requestKey }: PostOptions = {}) =>
    send(path, {
      method: "POST",
      headers: { ...headers, ...(requestKey === undefined ? {} : { "Idempotency-Key": requestKey }) },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  return {
    get: async (path, signal) =>
      (await send(path, { headers, ...(signal === undefined ? {} : { signal }) })).json(),
    post: async (path, body, options) => (await post(path, body, options)).json(),
    async postForLines(path, body, take, signal) {
      const response = await post(path, body, signal === undefined ? {} : { signal });
      if (response.body === null) return;
      let rest = "";
      for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) take(JSON.parse(line));
      }
    },
  };
}

/** Returns what to do about a certificate that is not trusted; empty for any other error. */
function becauseOfTls(error: unknown): string {
  const text = String(error instanceof Error ? (error.cause ?? error) : error);
  if (!/certificate|altname|self.signed/i.test(text)) return "";
  return ": its certificate is not trusted here. --tls-cert FILE trusts the certificate of a file";
}

/** Returns a name that a header can hold. */
function encodeName(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, "?");
}

async function reasonFrom(response: Response): Promise<string> {
  const reply: unknown = await response.json().catch(() => undefined);
  if (typeof reply === "object" && reply !== null && "error" in reply && typeof reply.error === "string") {
    return reply.error;
  }
  return `the server answered with status ${response.status}`;
}
