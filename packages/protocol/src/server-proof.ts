/**
 * Lets a client check that a server knows the client's key. The client sends no key, only a pass: a text that is made for one
 * server process at one origin, and that is worth nothing when this process has ended. So another program that takes the port
 * learns nothing with which it could use a server.
 */
import { isJsonObject } from "./json.ts";

/** A `CryptoKey` of the Web Crypto API. No script can read its bytes. */
type SecretKey = Parameters<typeof crypto.subtle.sign>[1];

export interface ClientKey {
  /** The public name of the key of a paired browser; empty for the token. */
  readonly id: string;
  readonly secret: SecretKey;
}

/** The server that a client asked does not know the client's key. */
export class UnknownServerError extends Error {
  override readonly name = "UnknownServerError";

  constructor(origin: string) {
    super(
      `another program answers at ${origin}, or the keys were replaced: nothing was sent to it. "localharness serve link" prints a link to the server`,
    );
  }
}

export interface PassParts {
  readonly key: ClientKey;
  /** The origin under which the client reaches the server, such as `http://127.0.0.1:4096`. */
  readonly origin: string;
  /**
   * Posts a JSON body to `/api/prove`. Rejects if nothing answers. `json` rejects with a `SyntaxError` if the reply is not
   * JSON, and with another error if the connection ends too early.
   */
  post(body: string): Promise<Pick<Response, "status" | "json">>;
}

export interface Passes {
  /**
   * Resolves to the pass, once the server has proved that it knows the key. Rejects with `UnknownServerError` if it does not
   * prove it, and with another error if it is busy or the connection fails.
   */
  get(): Promise<string>;
  /** Forgets the pass, so that the server has to prove again. */
  drop(): void;
}

export function createPasses(parts: PassParts): Passes {
  let current: Promise<string> | undefined;
  return {
    get() {
      const asked = current ?? askForPass(parts);
      current = asked;
      asked.catch(() => {
        if (current === asked) current = undefined;
      });
      return asked;
    },
    drop() {
      current = undefined;
    },
  };
}

/** Returns the text whose HMAC proves to a client that the server knows the key. */
export function proofText(origin: string, server: string, nonce: string): string {
  return `localharness proof 1\n${origin}\n${server}\n${nonce}`;
}

/** Returns the text whose HMAC is the secret part of a pass. */
export function passText(origin: string, server: string): string {
  return `localharness pass 1\n${origin}\n${server}`;
}

/** Reads a key from its text: the token, or `ID.SECRET` of a paired browser. Rejects if the token or the secret is empty. */
export async function readClientKey(text: string): Promise<ClientKey> {
  const [first = "", second] = text.split(".", 2);
  const bytes = new TextEncoder().encode(second ?? first);
  const secret = await crypto.subtle.importKey("raw", bytes, hmac, false, ["sign", "verify"]);
  return { id: second === undefined ? "" : first, secret };
}

const hmac = { name: "HMAC", hash: "SHA-256" } as const;
/** The HTTP statuses with which a busy server refuses a request without reading it. */
const busy: readonly number[] = [429, 503];

async function askForPass({ key: { id, secret }, origin, post }: PassParts): Promise<string> {
  const nonce = toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
  const response = await post(JSON.stringify({ id, nonce }));
  if (busy.includes(response.status)) throw new Error(`the server at ${origin} is busy: try again`);
  const reply: unknown = await response.json().catch(withoutJson);
  const { server, proof } = isJsonObject(reply) ? reply : {};
  if (typeof server !== "string" || typeof proof !== "string" || !/^[\w-]{16,64}$/.test(server)) {
    throw new UnknownServerError(origin);
  }
  const encode = (text: string) => new TextEncoder().encode(text);
  // The comparison takes the same time for every wrong proof.
  const isProved = await crypto.subtle.verify(
    hmac,
    secret,
    fromBase64Url(proof),
    encode(proofText(origin, server, nonce)),
  );
  if (!isProved) throw new UnknownServerError(origin);
  const signed = await crypto.subtle.sign(hmac, secret, encode(passText(origin, server)));
  return `${id}.${server}.${toBase64Url(new Uint8Array(signed))}`;
}

/** Returns undefined for a reply that is not JSON. Throws any other error, such as that of a broken connection. */
function withoutJson(error: unknown): undefined {
  if (!(error instanceof SyntaxError)) throw error;
}

function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns the bytes; none for a text that is not base64url or has more than 100 characters. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]{1,100}$/.test(text) || text.length % 4 === 1) return new Uint8Array();
  const plain = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(plain), (letter) => letter.charCodeAt(0));
}
