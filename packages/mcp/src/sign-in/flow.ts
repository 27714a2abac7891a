/** Holds the state of one sign-in for the MCP library: the client, the verifier, and the tokens in the end. */
import { randomBytes } from "node:crypto";
import type { JsonObject } from "@localharness/protocol";
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { AddressEntry } from "../config/entry.ts";
import { grantOf } from "./grant.ts";
import type { Grant } from "./sign-ins.ts";

/** Waits on loopback for the browser. */
export interface RedirectListener {
  readonly url: string;
  answer(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  close(): void;
}

export interface Flow {
  readonly provider: OAuthClientProvider;
  /** The random text that the answer of the browser must have. */
  readonly state: string;
  /** Returns the address that the person opens. Throws before it is known. */
  address(): URL;
  /** Returns what was granted. Throws before it is known. */
  grant(): Grant;
}

/**
 * Creates the state of a sign-in that ends at `redirectUrl`. If the entry names no client, each sign-in registers a new
 * client, so that a client is used only at the service that registered it.
 */
export function createFlow({ oauth }: AddressEntry, redirectUrl: string): Flow {
  const state = randomBytes(32).toString("base64url");
  let client = givenClient(oauth);
  let tokens: StoredOAuthTokens | undefined;
  let verifier = "";
  let found: OAuthDiscoveryState | undefined;
  let resource: string | undefined;
  let address: URL | undefined;
  const description = oauth?.clientId?.startsWith("https://") ? oauth.clientId : undefined;
  const provider: OAuthClientProvider = {
    redirectUrl,
    ...(description === undefined ? {} : { clientMetadataUrl: description }),
    clientMetadata: {
      client_name: "Local Harness",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      ...(oauth?.scope === undefined ? {} : { scope: oauth.scope }),
    },
    state: () => state,
    clientInformation: () => client,
    saveClientInformation: (saved) => {
      client = saved;
    },
    // Only the code of this sign-in is exchanged: earlier tokens are not renewed here.
    tokens: () => undefined,
    saveTokens: (saved) => {
      tokens = saved;
    },
    redirectToAuthorization: (url) => {
      address = url;
    },
    saveCodeVerifier: (saved) => {
      verifier = saved;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (saved) => {
      found = saved;
    },
    discoveryState: () => found,
    saveResourceUrl: (saved) => {
      resource = saved;
    },
  };
  return {
    provider,
    state,
    address: () => known(address, "the service named no address to sign in at"),
    grant() {
      const { authorizationServerUrl, authorizationServerMetadata } = known(
        found,
        "the service was not found",
      );
      const service = authorizationServerMetadata as JsonObject | undefined;
      return grantOf(known(tokens, "the service gave no token"), {
        client: { ...known(client, "the service knows no client") } as unknown as JsonObject,
        serviceUrl: authorizationServerUrl,
        ...(service === undefined ? {} : { service }),
        ...(resource === undefined ? {} : { resource }),
      });
    },
  };
}

/**
 * Returns the client that the person has registered. Returns undefined if the entry names no client, or names it by the
 * address of its metadata document.
 */
function givenClient(oauth: AddressEntry["oauth"]): StoredOAuthClientInformation | undefined {
  if (oauth?.clientId === undefined || oauth.clientId.startsWith("https://")) return undefined;
  const { clientId, clientSecret } = oauth;
  return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) };
}

function known<Value>(value: Value | undefined, missing: string): Value {
  if (value === undefined) throw new Error(missing);
  return value;
}
