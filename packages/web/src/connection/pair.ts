/** Gets and keeps the key of this browser. The code of a pairing link is removed from the address before anything else runs. */

import { codeOf } from "./pairing-code.ts";

const storedKey = "localharness.key";

export type Pairing =
  | { readonly kind: "paired"; readonly key: string }
  /** `message` says why there is no key; empty on a first visit. */
  | { readonly kind: "unpaired"; readonly message: string };

/** Exchanges the code in the address for a key, or reads the kept key. */
export async function pair(): Promise<Pairing> {
  const code = codeOf(location.hash);
  if (code === undefined) return keptPairing("");
  history.replaceState(null, "", location.pathname);
  return redeem(code);
}

/** Exchanges a code that the person typed or pasted, as such or in a link. */
export async function redeem(typed: string): Promise<Pairing> {
  const code = codeOf(typed.slice(Math.max(0, typed.indexOf("#")))) ?? typed.trim();
  try {
    const response = await fetch("/api/pair", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ code }),
    });
    const answer: { readonly key?: string; readonly error?: string } = await response.json();
    if (!response.ok || answer.key === undefined) return keptPairing(answer.error ?? "the code was refused");
    localStorage.setItem(storedKey, answer.key);
    return { kind: "paired", key: answer.key };
  } catch {
    return keptPairing("the server does not answer: is it running?");
  }
}

export function forgetKey(): void {
  localStorage.removeItem(storedKey);
}

function keptPairing(message: string): Pairing {
  const key = localStorage.getItem(storedKey);
  return key === null ? { kind: "unpaired", message } : { kind: "paired", key };
}
