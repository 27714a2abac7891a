/** Sends the requests of a sign-in, whose addresses come from the server and not from the person. */
import { isLoopback } from "@localharness/protocol";
import type { Doors, Fetch } from "../doors.ts";
import { boundedFetch } from "../transport/bounded-fetch.ts";

/**
 * Returns a `fetch` for addresses that the server at `serverUrl` names. It accepts only https; a server on this machine may
 * also name http addresses on this machine. It sends none of the headers of the entry, and follows no redirect.
 */
export function signInFetch(doors: Doors, serverUrl: string): Fetch {
  const isHere = isLoopback(new URL(serverUrl).hostname);
  return async (url, init) => {
    const problem = addressProblem(new URL(url), isHere);
    if (problem !== undefined) throw new TypeError(problem);
    const fetch = boundedFetch(await doors.fetchNamedBy(serverUrl), {}, () => undefined);
    return fetch(url, init);
  };
}

/** Returns why an address of a sign-in is not used; undefined if it is. `isHere` is true for a server on this machine. */
export function addressProblem(url: URL, isHere: boolean): string | undefined {
  if (url.username !== "" || url.password !== "") return "an address of the sign-in contains a password";
  if (url.protocol === "https:" || (url.protocol === "http:" && isHere && isLoopback(url.hostname))) {
    return undefined;
  }
  return `the sign-in would use ${url.origin}, which is not https`;
}
