/** Writes a host in the one form in which hosts are compared and shown. */
import { isIP } from "node:net";

/**
 * Returns the host in lower case, without a dot at its end, with a short or hexadecimal IPv4 address in its usual form and other
 * scripts as `xn--`; undefined if it can be no host.
 */
export function canonicalHost(host: string): string | undefined {
  const isIPv6 = isIP(host) === 6;
  if (!isIPv6 && /[/?#@:\\%\s]/.test(host)) return undefined;
  try {
    const { hostname } = new URL(`http://${isIPv6 ? `[${host}]` : host}/`);
    return hostname.replace(/^\[|\]$|\.$/g, "") || undefined;
  } catch {
    return undefined;
  }
}
