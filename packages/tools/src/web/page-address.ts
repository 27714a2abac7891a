/** Reads the address of a page, and finds the reasons not to fetch it. Does not use the network. */
import type { CallFacts } from "@localharness/engine";
import { found, type Outcome, refused } from "@localharness/workspace/outcome";
import type { WebParts } from "./web-parts.ts";

const maxAddressChars = 4_000;

/** Returns the address of a page; `example.com/page` means https. Fails if it is too long, forbidden or contains a key. */
export async function pageAddress(text: string, { web, holdsSecret }: WebParts): Promise<Outcome<URL>> {
  const written = text.trim();
  const full = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(written) ? written : `https://${written}`;
  if (full.length > maxAddressChars) {
    return refused("validation_failed", `The address is longer than ${maxAddressChars} characters.`);
  }
  const objection = await web.objection(full);
  if (objection !== undefined) return refused("validation_failed", objection);
  const url = new URL(full);
  url.hash = "";
  if (holdsSecret(url.href) || holdsSecret(decoded(url.href))) {
    return refused("validation_failed", "The address contains a key, which is not sent.");
  }
  return found(url);
}

/**
 * Returns the facts for the policy. Their scope is one host with its scheme and port. They deny an address that
 * `pageAddress` refuses.
 */
export async function pageFacts(text: string, parts: WebParts): Promise<CallFacts> {
  const address = await pageAddress(text, parts);
  if (!address.ok) {
    const concern = {
      id: "web-address",
      decision: "deny",
      reason: address.message.replace(/\.$/, ""),
    } as const;
    return { concerns: [concern], paths: [], rememberable: false };
  }
  const { origin } = address.value;
  return {
    scope: origin,
    covers: `every page of ${origin}`,
    effect: `sends a request to ${origin}`,
    grade: "leaves",
    paths: [],
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
