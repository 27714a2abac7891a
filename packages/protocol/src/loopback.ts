/** Finds out whether a host is a name or an address of the loopback interface. */

/**
 * Matches `localhost`, an IPv4 address with all four parts, and text in the form of an IPv6 address. Does not match `127.1`,
 * which resolvers may read differently, nor a user name or a path.
 */
const hostShape = /^(?:localhost|127(?:\.\d+){3}|[\da-f:.]*:[\da-f:.]*|\[[\da-f:.]+\])$/i;

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])$/;

/** Returns true if only programs of this machine reach the host: a name or an address, without a port. */
export function isLoopback(host: string): boolean {
  if (!hostShape.test(host)) return false;
  const url = `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}`;
  return URL.canParse(url) && loopback.test(new URL(url).hostname);
}
