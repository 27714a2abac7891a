/** Gets and keeps the key of this browser. The code of a pairing link is removed from the address before anything else runs. */
import { type ClientKey, readClientKey, reasonOf } from "@localharness/protocol";
import { redeemCode } from "@localharness/protocol/server-client";
import { ownServer } from "./api.ts";
import { forgetStoredKey, readStoredKey, storeKey } from "./key-store.ts";
import { codeIn, codeOf } from "./pairing-code.ts";

export type Pairing =
  | { readonly kind: "paired"; readonly key: ClientKey }
  /** `message` says why there is no key; empty on a first visit. */
  | { readonly kind: "unpaired"; readonly message: string };

/** Exchanges the code in the address for a key, or reads the kept key. */
export async function pair(): Promise<Pairing> {
  const code = codeOf(location.hash);
  if (code === undefined) return keptPairing("");
  history.replaceState(null, "", location.pathname);
  return redeem(code);
}

/**
 * Exchanges a code for a key. `typed` is the code, or a pairing link to this server. If the server gives no key, returns the
 * kept key if there is one.
 */
export async function redeem(typed: string): Promise<Pairing> {
  const read = codeIn(typed, location.origin);
  if (!read.ok) return { kind: "unpaired", message: read.message };
  let given: string;
  try {
    given = await redeemCode(ownServer(), read.code);
  } catch (error) {
    return keptPairing(reasonOf(error));
  }
  try {
    const key = await readClientKey(given);
    // A browser that keeps nothing is paired until the page is closed.
    await storeKey(key).catch(() => undefined);
    return { kind: "paired", key };
  } catch (error) {
    return { kind: "unpaired", message: `this browser cannot use a key: ${reasonOf(error)}` };
  }
}

export async function forgetKey(): Promise<void> {
  await forgetStoredKey().catch(() => undefined);
}

async function keptPairing(message: string): Promise<Pairing> {
  const key = await readStoredKey().catch(() => undefined);
  return key === undefined ? { kind: "unpaired", message } : { kind: "paired", key };
}
