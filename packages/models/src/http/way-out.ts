/** Finds the way to a server that the person has named: directly, or through the proxy that the environment names. */
import { isIP } from "node:net";
import { addressKind } from "./address-kind.ts";
import type { NamedProxy } from "./proxy/proxy.ts";
import { hostOf, isPrivateName, namesProxy, proxyFor } from "./proxy/proxy-rules.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** Returns the addresses of a name, as this machine finds them. */
export type Resolve = (host: string) => Promise<readonly Address[]>;

/** The time limit of a look-up in milliseconds. Behind a proxy, often no name server answers here. */
const lookUpMs = 2_000;

export async function lookUp(host: string): Promise<readonly Address[]> {
  const { lookup } = await import("node:dns/promises");
  return lookup(host, { all: true });
}

/** Returns the addresses of a host, found within 2 s; none if this machine does not find it. */
export async function addressesHere(host: string, resolve: Resolve = lookUp): Promise<readonly Address[]> {
  if (isIP(host) > 0) return [{ address: host, family: isIP(host) }];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Address[]>((done) => {
    timer = setTimeout(() => done([]), lookUpMs);
  });
  const found = await Promise.race([resolve(host).catch(() => []), late]);
  clearTimeout(timer);
  return found;
}

/** Returns true if a host that has these addresses belongs to this machine or its networks, so that no proxy is needed. */
export function isOfNetwork(host: string, found: readonly Address[]): boolean {
  if (found.length === 0) return !host.includes(".");
  return found.every(({ address }) => addressKind(address) !== "public");
}

/**
 * Returns a function that resolves to the proxy for a URL; to undefined for a server that is reached directly, as those of
 * this machine and its networks are. It rejects with a `ProxyProblem` if the environment names a proxy that cannot be used.
 */
export function createWayOut(
  environment: Environment,
  resolve: Resolve = lookUp,
): (url: URL) => Promise<NamedProxy | undefined> {
  if (!namesProxy(environment)) return async () => undefined;
  const near = new Map<string, { readonly atMs: number; readonly is: Promise<boolean> }>();
  const isNear = (host: string): Promise<boolean> => {
    const known = near.get(host);
    const now = performance.now();
    if (known !== undefined && now - known.atMs < keptMs) return known.is;
    const is = addressesHere(host, resolve).then((found) => isOfNetwork(host, found));
    near.set(host, { atMs: now, is });
    return is;
  };
  return async (url) => {
    const proxy = proxyFor(url, environment);
    return proxy === undefined || (await isNear(hostOf(url))) ? undefined : proxy;
  };
}

/** The milliseconds for which the addresses of a host are remembered. */
const keptMs = 60_000;

/** The way to a server, or the reason why it is not reached. */
export type CheckedWay =
  | { readonly kind: "open"; readonly proxy?: NamedProxy | undefined }
  | { readonly kind: "refused"; readonly why: string };

export interface CheckOptions {
  readonly resolve?: Resolve | undefined;
  /** True to refuse names that only a private network has. */
  readonly publicOnly: boolean;
  /** Returns true for an IP address that is never reached. */
  refused(address: string): boolean;
}

/**
 * Returns a function that finds the way to a server whose address has to be checked. A proxy looks the name up again, so
 * that nobody here knows to which address it connects. So a name is refused if it leads to a refused address here, and with
 * `publicOnly` also if it is not found here and only a private network can have it. Without a proxy the connection itself
 * checks the address. Rejects with a `ProxyProblem` if the environment names a proxy that cannot be used.
 */
export function createCheckedWay(
  environment: Environment,
  { resolve = lookUp, publicOnly, refused }: CheckOptions,
): (url: URL) => Promise<CheckedWay> {
  return async (url) => {
    const proxy = proxyFor(url, environment);
    if (proxy === undefined) return { kind: "open" };
    const host = hostOf(url);
    const found = await addressesHere(host, resolve);
    const closed = found.find(({ address }) => refused(address));
    if (closed !== undefined) return { kind: "refused", why: `${host} has an address that is never reached` };
    if (isOfNetwork(host, found)) return { kind: "open" };
    if (publicOnly && found.length === 0 && isPrivateName(host)) {
      return { kind: "refused", why: `${host} is a name of a private network, and is not found here` };
    }
    return { kind: "open", proxy };
  };
}
