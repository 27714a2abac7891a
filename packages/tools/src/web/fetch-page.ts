/** Fetches a page. Follows redirects on the same host only, because the person has allowed that host. */
import type { WebAnswer } from "@localharness/engine";
import { found, type Outcome, refused } from "@localharness/workspace/outcome";
import { pageAddress } from "./page-address.ts";
import type { WebParts } from "./web-parts.ts";

const maxRedirects = 5;
const maxPageBytes = 2 * 1024 * 1024;

export interface Page {
  readonly url: URL;
  readonly answer: Extract<WebAnswer, { kind: "answer" }>;
}

export async function fetchPage(start: URL, parts: WebParts, signal: AbortSignal): Promise<Outcome<Page>> {
  let url = start;
  for (let count = 0; count <= maxRedirects; count += 1) {
    const answer = await parts.web.send({ method: "GET", url: url.href, maxBytes: maxPageBytes }, signal);
    if (answer.kind !== "answer") return refused(failureTypes[answer.kind], answer.message);
    if (answer.location === undefined) return found({ url, answer });
    const target = await redirectTarget(answer.location, url, parts);
    if (!target.ok) return target;
    url = target.value;
  }
  return refused("io_error", `${start.origin} redirects more than ${maxRedirects} times.`);
}

const failureTypes = { blocked: "permission_denied", failed: "io_error", aborted: "cancelled" } as const;

async function redirectTarget(location: string, from: URL, parts: WebParts): Promise<Outcome<URL>> {
  if (!URL.canParse(location, from.href)) {
    return refused("io_error", `${from.origin} redirects to something that is not an address.`);
  }
  const target = await pageAddress(new URL(location, from).href, parts);
  if (!target.ok) return refused("permission_denied", `${from.origin} redirects. ${target.message}`);
  if (isSameHost(from, target.value)) return target;
  return refused(
    "permission_denied",
    `${from.href} redirects to another host: ${target.value.href}. Call web_fetch with that address; it is asked about by itself.`,
  );
}

/** Returns true for the same origin, and for a change from http to https on the same host. */
function isSameHost(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  return (
    from.hostname === to.hostname &&
    from.protocol === "http:" &&
    from.port === "" &&
    to.protocol === "https:" &&
    to.port === ""
  );
}
