/** Defines the place of a server, as this machine reaches it. */
import type { ConnectionOptions } from "node:tls";
import { readClientKey } from "@localharness/protocol";
import {
  redeemCode as redeem,
  type ServerAccess,
  type ServerAddress,
} from "@localharness/protocol/server-client";

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
export type KeylessPlace = Omit<ServerPlace, "key">;

/** Exchanges the one-time code of a link for a key. Rejects with an `Error` for the person if the code is not accepted. */
export function redeemCode(place: KeylessPlace, code: string): Promise<string> {
  return redeem(reached(place), code);
}

/** Returns how the client of the server sends its requests. */
export function accessTo(place: ServerPlace): ServerAccess {
  return { ...reached(place), key: () => readClientKey(place.key) };
}

function reached({ address, name, fetch: send = fetch }: KeylessPlace): ServerAddress {
  const unreachable = (error: unknown) => `the server at ${address} does not answer${becauseOfTls(error)}`;
  return { address, name, fetch: send, unreachable };
}

/** Returns what to do about a certificate that is not trusted; empty for any other error. */
function becauseOfTls(error: unknown): string {
  const text = String(error instanceof Error ? (error.cause ?? error) : error);
  if (!/certificate|altname|self.signed/i.test(text)) return "";
  return ": its certificate is not trusted here. --tls-cert FILE trusts the certificate of a file";
}
