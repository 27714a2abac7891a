/** Follows the requests that a transport for server-sent events has sent, until the server took or refused them. */
import type { Fetch } from "../doors.ts";

export interface OpenPosts {
  readonly fetch: Fetch;
  /** Resolves when the server has answered all requests that are open now, but after at most 2 s. Never rejects. */
  answered(): Promise<void>;
}

const maxWaitMs = 2_000;
/** The milliseconds in which the transport passes a refusal on. */
const passOnMs = 50;

export function followPosts(fetch: Fetch): OpenPosts {
  const open = new Set<Promise<unknown>>();
  const post: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    // The words of a refusal are read here, so that they are complete when the request counts as answered.
    return response.ok ? response : new Response(await response.text(), response);
  };
  return {
    fetch(url, init) {
      if (init?.method !== "POST") return fetch(url, init);
      const sent = post(url, init);
      const done = sent.then(
        () => undefined,
        () => undefined,
      );
      open.add(done);
      void done.then(() => open.delete(done));
      return sent;
    },
    async answered() {
      const late = new Promise((resolve) => setTimeout(resolve, maxWaitMs).unref());
      await Promise.race([Promise.all(open), late]);
      await new Promise((resolve) => setTimeout(resolve, passOnMs));
    },
  };
}
