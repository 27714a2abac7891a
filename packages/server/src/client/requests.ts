/** Sends requests to a server, which has to prove first that it knows the client's key. */
import type { ConnectionOptions } from "node:tls";
import { createPasses, type Passes, readClientKey } from "@localharness/protocol";

export interface ServerPlace {
  /** The address with scheme and port, without a path. */
  readonly address: string;
  /** The token, or the key of a pairing. It is never sent. */
  readonly key: string;
  /** The name that other clients see, such as `terminal on box`. */
  readonly name: string;
  /** Sends a request; by default the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Options of TLS connections for the WebSocket, such as the certificate to trust. */
  readonly tls?: Pick<ConnectionOptions, "ca" | "allowPartialTrustChain" | "checkServerIdentity">;
}

/** The place of a server, without the client's key. */
export type ServerAddress = Omit<ServerPlace, "key">;

export interface Requests {
  /**
   * Returns the pass that opens a WebSocket. Rejects with an `Error` for the person if the server does not give the
   * proof.
   */
  pass(): Promise<string>;
  /** Forgets the pass, because the connection was lost: the server has to prove again that it knows the key. */
  dropPass(): void;
  /**
   * Returns the JSON of the reply. Rejects with an `Error` for the person when the server refuses or is not there, and with
   * the reason of the signal when it aborts.
   */
  get(path: string, signal?: AbortSignal): Promise<unknown>;
  post(path: string, body: object, options?: PostOptions): Promise<unknown>;
  /** Calls `take` with each value of a reply of JSON lines. Rejects like `get`, or if the connection breaks. */
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

/** Exchanges the one-time code of a link for a key. Rejects with an `Error` for the person if the code is not accepted. */
export async function redeemCode(place: ServerAddress, code: string): Promise<string> {
  const response = await ask(place, "/api/pair", postOf({ code }));
  if (!response.ok) throw new RefusedError(await reasonFrom(response), response.status);
  return ((await response.json()) as { readonly key: string }).key;
}

export function createRequests(place: ServerPlace): Requests {
  const passes = passesFor(place);
  const sendOnce = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = { ...init.headers, Authorization: `Bearer ${await passes.get()}` };
    try {
      return await ask(place, path, { ...init, headers });
    } catch (error) {
      init.signal?.throwIfAborted();
      passes.drop();
      throw error;
    }
  };
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    let response = await sendOnce(path, init);
    if (response.status === 401) {
      // The server may have been started again since it gave the pass.
      passes.drop();
      response = await sendOnce(path, init);
    }
    if (!response.ok) throw new RefusedError(await reasonFrom(response), response.status);
    return response;
  };
  const post = (path: string, body: object, { signal, requestKey }: PostOptions = {}) =>
    send(path, {
      ...postOf(body, requestKey === undefined ? {} : { "Idempotency-Key": requestKey }),
      ...(signal === undefined ? {} : { signal }),
    });
  return {
    pass: passes.get,
    dropPass: passes.drop,
    get: async (path, signal) => (await send(path, signal === undefined ? {} : { signal })).json(),
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

/** Returns the passes of the key, which is read when the first pass is needed. To get a pass, only a challenge is sent. */
function passesFor(place: ServerPlace): Passes {
  let passes: Passes | undefined;
  const open = async () => {
    passes ??= createPasses({
      key: await readClientKey(place.key),
      origin: new URL(place.address).origin,
      post: (body) => ask(place, "/api/prove", { ...postOf(body), signal: AbortSignal.timeout(10_000) }),
    });
    return passes;
  };
  return { get: async () => (await open()).get(), drop: () => passes?.drop() };
}

function postOf(body: object | string, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}

/** Sends a request. Rejects with an `Error` for the person if nothing answers, and also if its signal aborts. */
async function ask(
  { address, name, fetch: send = fetch }: ServerAddress,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const headers = { ...init.headers, "Localharness-Client": encodeName(name) };
  try {
    return await send(`${address}${path}`, { ...init, headers, redirect: "error" });
  } catch (error) {
    throw new Error(`the server at ${address} does not answer${becauseOfTls(error)}`, { cause: error });
  }
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
