/** Lists the origins under which clients reach the server. */
import { networkInterfaces } from "node:os";
import { isLoopback, type OwnOrigins } from "@localharness/protocol";

export interface ListenAddresses {
  /** The address on which the server listens. */
  readonly host: string;
  readonly scheme: "http" | "https";
  /** Other origins, such as that of a proxy in front of the server. */
  readonly others: readonly string[];
}

/**
 * Returns the origins by authority. A server that listens on loopback, or on all addresses, has all names of loopback.
 */
export function ownOrigins({ host, scheme, others }: ListenAddresses, port: number): OwnOrigins {
  const isOpen = isUnspecified(host);
  const hosts = [
    ...(isOpen ? outerAddresses() : [host]),
    ...(isOpen || isLoopback(host) ? ["localhost", "127.0.0.1", "::1"] : []),
  ];
  const origins = [...hosts.map((one) => originOf(scheme, one, port)), ...others];
  return new Map(origins.map((origin) => [new URL(origin).host, origin]));
}

/** Returns the origin as browsers write it: without the default port of the scheme. */
export function originOf(scheme: string, host: string, port: number): string {
  return new URL(`${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`).origin;
}

/** Returns true for an address that stands for all addresses of the machine. */
export function isUnspecified(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/** Returns the origin for other machines; undefined if they cannot reach a server that listens on `host`. */
export function outerAddressOf(
  host: string,
  scheme: ListenAddresses["scheme"],
  port: number,
): string | undefined {
  const outer = isLoopback(host) ? undefined : isUnspecified(host) ? outerAddresses()[0] : host;
  return outer === undefined ? undefined : originOf(scheme, outer, port);
}

/** Returns the addresses of this machine that other machines can reach. */
export function outerAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  // An address of one link (`fe80:`) has no meaning on another machine.
  const outer = all.filter(({ internal, address }) => !internal && !address.startsWith("fe80:"));
  return outer.map(({ address }) => address);
}
