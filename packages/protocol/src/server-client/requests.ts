/** Sends requests to a server, which has to prove first that it knows the client's key. The key is never sent. */
import { isJsonObject } from "../json.ts";
import { type ClientKey, createPasses, type Passes } from "../server-proof.ts";

/** The server as a client reaches it. `fetch` is the only thing that this client does by itself. */
export interface ServerAddress {
  /** The origin of the server, such as `http://127.0.0.1:4096`. */
  readonly address: string;
  /** The name that other clients see, such as `Firefox on Linux`. */
  readonly name: string;
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Returns what the person is told about a request that did not reach the server. */
  unreachable(error: unknown): string;
}

export interface ServerAccess extends ServerAddress {
  /** Returns the client's key. Called when the first pass is needed. */
  key(): Promise<ClientKey>;
  /** Called when the server refuses the key. */
  keyRefused?(): void;
}

/** A refusal of the server, or a request that did not reach it (`status` 0). The message is for the person. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly status: number;

  constructor(message: string, options: ErrorOptions & { readonly status: number }) {
    super(message, options);
    this.status = options.status;
  }
}

/** Returns true if the server refused a request. */
export function isRefusal(error: unknown): error is RequestError {
  return error instanceof RequestError && error.status !== 0;
}

export interface PostOptions {
  readonly signal?: AbortSignal | undefined;
  /** An id with which the server recognises a request that is sent again. */
  readonly requestKey?: string;
}

/** Each method rejects with a `RequestError`, with `UnknownServerError`, or with the reason of the signal when it aborts. */
export interface Requests {
  /** The pass opens a WebSocket. It is to be dropped when a connection was lost: the server has to prove itself again. */
  readonly passes: Passes;
  get(path: string): Promise<Response>;
  remove(path: string): Promise<void>;
  post(path: string, body: object, options?: PostOptions): Promise<Response>;
}

/** Exchanges the one-time code of a link for the text of a key. Rejects with a `RequestError` if the code is not accepted. */
export async function redeemCode(place: ServerAddress, code: string): Promise<string> {
  const response = await ask(place, "/api/pair", postOf(JSON.stringify({ code })));
  if (!response.ok) throw await refusalIn(response);
  return ((await response.json()) as { readonly key: string }).key;
}

export function createRequests(access: ServerAccess): Requests {
  const passes = passesFor(access);
  const sendOnce = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = { ...init.headers, Authorization: `Bearer ${await passes.get()}` };
    try {
      return await ask(access, path, { ...init, headers });
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
    if (response.ok) return response;
    if (response.status === 401) access.keyRefused?.();
    throw await refusalIn(response);
  };
  return {
    passes,
    get: (path) => send(path, {}),
    remove: async (path) => void (await send(path, { method: "DELETE" })),
    post(path, body, { signal, requestKey } = {}) {
      const headers = requestKey === undefined ? {} : { "Idempotency-Key": requestKey };
      const init = postOf(JSON.stringify(body), headers);
      return send(path, signal === undefined ? init : { ...init, signal });
    },
  };
}

/** Returns the passes of the key. To get a pass, only a challenge is sent. */
function passesFor(access: ServerAccess): Passes {
  let passes: Passes | undefined;
  const open = async () => {
    const key = await access.key();
    passes ??= createPasses({
      key,
      origin: new URL(access.address).origin,
      post: (body) => ask(access, "/api/prove", { ...postOf(body), signal: AbortSignal.timeout(10_000) }),
    });
    return passes;
  };
  return { get: async () => (passes ?? (await open())).get(), drop: () => passes?.drop() };
}

function postOf(body: string, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body };
}

/** Sends a request. Rejects with a `RequestError` of status 0 if nothing answers, and also if its signal aborts. */
async function ask(
  { address, name, fetch, unreachable }: ServerAddress,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const headers = { ...init.headers, "Localharness-Client": encodeName(name) };
  try {
    return await fetch(`${address}${path}`, { ...init, headers, redirect: "error" });
  } catch (error) {
    throw new RequestError(unreachable(error), { status: 0, cause: error });
  }
}

/** Returns a name that a header can hold. */
function encodeName(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, "?");
}

async function refusalIn(response: Response): Promise<RequestError> {
  const { status } = response;
  const reply: unknown = await response.json().catch(() => undefined);
  const { error } = isJsonObject(reply) ? reply : {};
  return new RequestError(typeof error === "string" ? error : `the server answered with status ${status}`, {
    status,
  });
}
