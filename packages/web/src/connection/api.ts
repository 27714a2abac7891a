/** The client of the server that this page came from. */
import type { ClientKey, Host, HostMethod } from "@localharness/protocol";
import {
  createServerClient,
  type MethodArguments,
  type ServerAddress,
  type ServerClient,
} from "@localharness/protocol/server-client";
import { clientNameOf } from "./client-name.ts";

export interface Api extends Omit<ServerClient, "call"> {
  /** Gives up the key of this browser, so that the page asks for a link. `message` says why; empty if the person wanted it. */
  pairAgain(message: string): void;
  call<Name extends HostMethod>(
    id: string,
    name: Name,
    ...args: MethodArguments<Name>
  ): Promise<Awaited<ReturnType<Host[Name]>>>;
}

/** The message for a key that the server does not accept any more. */
export const keyReplaced = "The key of this browser does not hold any more: its token was replaced.";

/** Returns the server that this page came from. */
export function ownServer(): ServerAddress {
  return {
    address: location.origin,
    name: clientNameOf(navigator.userAgent),
    fetch: (url, init) => fetch(url, init),
    unreachable: () => "the server does not answer: is it running, and are you online?",
  };
}

/** Returns the functions that send requests. Calls `pairAgain` when the key is no longer valid. */
export function createApi(key: ClientKey, pairAgain: Api["pairAgain"]): Api {
  const client = createServerClient({
    ...ownServer(),
    key: async () => key,
    keyRefused: () => pairAgain(keyReplaced),
  });
  return {
    ...client,
    pairAgain,
    call: async (id, name, ...args) => (await client.call(id, name, args)).result as never,
  };
}
