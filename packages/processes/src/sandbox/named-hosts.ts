/** Reads the entries of `sandbox_domains`: hosts, and servers of this machine with their port. */

/** Matches the names by which a program reaches a server of this machine. */
const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i;

export function isThisMachine(host: string): boolean {
  return loopback.test(host);
}

/** Returns the port of an entry of `sandbox_domains` that names a server of this machine: `localhost:4873`; undefined for any other. */
export function portOfThisMachine(entry: string): number | undefined {
  const [, host = "", port] = /^(.*):(\d+)$/.exec(entry) ?? [];
  const number = Number(port);
  return isThisMachine(host) && number > 0 && number < 65_536 ? number : undefined;
}

/** Returns true if an entry of `sandbox_domains` covers the host. A server of this machine is covered by its port. */
export function covers(entry: string, host: string): boolean {
  const port = portOfThisMachine(host);
  if (port !== undefined) return portOfThisMachine(entry) === port;
  if (isThisMachine(host)) return false;
  return entry.startsWith("*.") ? host.endsWith(entry.slice(1).toLowerCase()) : entry.toLowerCase() === host;
}
