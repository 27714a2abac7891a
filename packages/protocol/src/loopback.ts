/** Finds out whether a host is this machine. */

/** An address in full, as resolvers may read another one differently, and nothing else that a URL can have. */
const hostShape = /^(?:localhost|127(?:\.\d+){3}|[\da-f:.]*:[\da-f:.]*|\[[\da-f:.]+\])$/i;

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])$/;

/** Returns true if only programs of this machine reach the host: a name or an address, without a port. */
export function isLoopback(host: string): boolean {
  if (!hostShape.test(host)) return false;
  const url = `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}`;
  return URL.canParse(url) && loopback.test(new URL(url).hostname);
}
