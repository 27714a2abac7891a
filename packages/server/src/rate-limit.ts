/** Limits how many requests a client may make in a second. */

export interface RateLimit {
  /** Returns true if the client may make another request now. */
  admits(client: string): boolean;
}

export interface Rate {
  readonly perSecond: number;
  /** The number of requests that may come at once. */
  readonly burst: number;
}

/** The number of clients that are remembered. */
const maxClients = 1_000;

export function createRateLimit({ perSecond, burst }: Rate, now = () => performance.now()): RateLimit {
  const clients = new Map<string, { left: number; at: number }>();
  return {
    admits(client) {
      const time = now();
      const { left, at } = clients.get(client) ?? { left: burst, at: time };
      const available = Math.min(burst, left + ((time - at) / 1_000) * perSecond);
      const admitted = available >= 1;
      clients.delete(client);
      clients.set(client, { left: admitted ? available - 1 : available, at: time });
      const [oldest] = clients.keys();
      if (clients.size > maxClients && oldest !== undefined) clients.delete(oldest);
      return admitted;
    },
  };
}
