/** Gives the requests of a session the person's token for the server, and renews it. It never signs in by itself. */
import {
  type AuthProvider,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
} from "@modelcontextprotocol/client";
import type { AddressEntry } from "../config/entry.ts";
import type { Doors } from "../doors.ts";
import { challengeOf } from "./challenge.ts";
import { grantOf } from "./grant.ts";
import { signInFetch } from "./sign-in-fetch.ts";
import { SignInNeeded } from "./sign-in-needed.ts";
import type { Grant, SignIns } from "./sign-ins.ts";

/** A token is renewed this long before it ends, in milliseconds. */
const earlyMs = 30_000;

export interface ServerAuth extends AuthProvider {
  /** Returns true if the server has refused a request, and there was no other token, not even after a renewal. */
  isRefused(): boolean;
  /** Returns true if the server refused a request and the person has signed in since then. */
  isSignedInNow(): Promise<boolean>;
}

export function serverAuth(entry: AddressEntry, signIns: SignIns, doors: Doors): ServerAuth {
  const { name: server, url } = entry;
  let known: Promise<Grant | undefined> | undefined;
  let renewing: Promise<Grant | undefined> | undefined;
  let refused: { readonly used: Grant | undefined } | undefined;
  const read = async () => (await signIns.find(server, url))?.grant;

  async function renewed(grant: Grant): Promise<Grant | undefined> {
    const fresh = await renew(grant, signInFetch(doors, url));
    // Another process may have renewed the token first, which voids the token that this process had.
    if (fresh === undefined) return otherThan(grant, await read());
    await signIns.save({ server, url, grant: fresh });
    return fresh;
  }

  /** Renews the token once for all requests that wait for it. */
  function renewOnce(grant: Grant): Promise<Grant | undefined> {
    renewing ??= renewed(grant).finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  return {
    isRefused: () => refused !== undefined,
    async isSignedInNow() {
      return refused !== undefined && otherThan(refused.used, await read()) !== undefined;
    },
    async token() {
      known ??= read();
      const grant = await known;
      if (grant?.expiresAt === undefined || grant.expiresAt - Date.now() > earlyMs) return grant?.accessToken;
      // If the token cannot be renewed now, the old token is sent, and the server decides about it.
      const usable = (await renewOnce(grant).catch(() => undefined)) ?? grant;
      known = Promise.resolve(usable);
      return usable.accessToken;
    },
    async onUnauthorized({ response }) {
      const used = await known;
      const kept = otherThan(used, await read());
      const grant = kept ?? (used === undefined ? undefined : await renewOnce(used));
      known = Promise.resolve(grant);
      refused = grant === undefined ? { used } : undefined;
      if (grant !== undefined) return;
      await signIns.save({ server, url, wanted: challengeOf(response) });
      throw new SignInNeeded();
    },
  };
}

function otherThan(used: Grant | undefined, found: Grant | undefined): Grant | undefined {
  return found?.accessToken === used?.accessToken ? undefined : found;
}

/**
 * Returns the new grant; undefined if the grant has no refresh token, or if the service refuses. Rejects if the service
 * cannot be reached or fails.
 */
async function renew(grant: Grant, fetchFn: ReturnType<typeof signInFetch>): Promise<Grant | undefined> {
  const { refreshToken, client, service, serviceUrl, resource } = grant;
  if (refreshToken === undefined) return undefined;
  type Options = Parameters<typeof refreshAuthorization>[1];
  const options = {
    metadata: service,
    clientInformation: client,
    refreshToken,
    fetchFn,
  } as unknown as Options;
  try {
    const tokens = await refreshAuthorization(serviceUrl, {
      ...options,
      ...(resource === undefined ? {} : { resource }),
    });
    return { ...grantOf(tokens, grant), refreshToken: tokens.refresh_token ?? refreshToken };
  } catch (error) {
    if (error instanceof OAuthError && error.code !== OAuthErrorCode.ServerError) return undefined;
    throw error;
  }
}
