/** Reads the environment variables that name a proxy, as curl does, and finds the proxy for a URL. */
import { BlockList, isIP } from "node:net";
import { addressKind } from "../address-kind.ts";
import { type NamedProxy, ProxyProblem } from "./proxy.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables for each scheme, the first one that is set is used. Lower case comes first, as for curl. */
const variablesOf = {
  http: ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"],
  https: ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"],
} as const;

const exceptionVariables = ["no_proxy", "NO_PROXY"] as const;

/** Returns true if the environment names a proxy for any URL. */
export function namesProxy(environment: Environment): boolean {
  return Object.values(variablesOf).some((names) => firstSet(environment, names) !== undefined);
}

/**
 * Returns the proxy for a URL; undefined if the server is reached directly. Hosts of this machine and literal addresses of
 * private networks never have a proxy. Throws a `ProxyProblem` if the variable has an address that cannot be used.
 */
export function proxyFor(url: URL, environment: Environment): NamedProxy | undefined {
  const named = firstSet(environment, variablesOf[isSecure(url) ? "https" : "http"]);
  if (named === undefined || isLocal(hostOf(url))) return undefined;
  if (isException(url, exceptionsOf(environment)?.value ?? "")) return undefined;
  return readProxy(named.value, named.name);
}

/** Returns the variable that lists the hosts without a proxy; undefined if it is not set. */
export function exceptionsOf(environment: Environment) {
  return firstSet(environment, exceptionVariables);
}

/** Returns true for a scheme with TLS. */
export function isSecure({ protocol }: URL): boolean {
  return protocol === "https:" || protocol === "wss:";
}

/** Returns the host without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** Returns the port, also if it is the default port of the scheme. */
export function portOf(url: URL): number {
  return url.port === "" ? (isSecure(url) ? 443 : 80) : Number(url.port);
}

/** Returns true for a name that only means a host of this machine or its networks, such as `box` or `box.lan`. */
export function isPrivateName(host: string): boolean {
  return /^[^.:]+\.?$|\.(?:localhost|local|lan|internal|intranet|private|corp|home|home\.arpa)\.?$/i.test(
    host,
  );
}

function isLocal(host: string): boolean {
  if (isIP(host) > 0) return addressKind(host) !== "public";
  return /(?:^|\.)localhost\.?$/i.test(host);
}

function firstSet(environment: Environment, names: readonly string[]) {
  for (const name of names) {
    const value = environment[name]?.trim();
    if (value) return { name, value };
  }
  return undefined;
}

/**
 * Returns true if `NO_PROXY` names the host of the URL: `*`, a name, which also means the names below it, with or without a
 * dot or `*.` before it, an IP address, or a network such as `10.0.0.0/8`. A port after a name or an address has to be the
 * URL's.
 */
function isException(url: URL, list: string): boolean {
  const host = hostOf(url).toLowerCase().replace(/\.$/, "");
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== "" && (entry === "*" || isNamedBy(entry, host, portOf(url))));
}

function isNamedBy(entry: string, host: string, port: number): boolean {
  const [, network = "", bits = ""] = /^\[?([\da-f.:]+)\]?\/(\d{1,3})$/.exec(entry) ?? [];
  if (isIP(network) > 0) return isWithin(host, network, Number(bits));
  const [, bracketed, plain = "", wanted] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  const name = isIP(entry) === 6 ? entry : (bracketed ?? plain);
  if (wanted !== undefined && Number(wanted) !== port) return false;
  if (isIP(host) > 0) return isIP(name) > 0 && isWithin(host, name, isIP(name) === 6 ? 128 : 32);
  const bare = name.replace(/^\*?\./, "").replace(/\.$/, "");
  return bare !== "" && (host === bare || host.endsWith(`.${bare}`));
}

function isWithin(host: string, network: string, bits: number): boolean {
  const [version, other] = [isIP(host), isIP(network)];
  if (version === 0 || other === 0 || bits > (other === 6 ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, other === 6 ? "ipv6" : "ipv4");
  return list.check(host, version === 6 ? "ipv6" : "ipv4");
}

const kinds: Readonly<Record<string, { readonly kind: NamedProxy["kind"]; readonly port: number }>> = {
  "http:": { kind: "http", port: 80 },
  "https:": { kind: "https", port: 443 },
  "socks:": { kind: "socks5", port: 1080 },
  "socks5:": { kind: "socks5", port: 1080 },
  "socks5h:": { kind: "socks5", port: 1080 },
};

function readProxy(value: string, variable: string): NamedProxy {
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const known = url === undefined ? undefined : kinds[url.protocol];
  if (url === undefined || known === undefined || url.hostname === "") {
    const expected = "expected an address like http://proxy.example:3128, or one with https:// or socks5://";
    throw new ProxyProblem(`${variable} names no proxy that can be used: ${expected}.`, { mayPass: false });
  }
  // A host of a scheme that `URL` does not know, such as `socks5`, keeps its capital letters.
  const host = hostOf(url).toLowerCase().replace(/\.$/, "");
  const port = url.port === "" ? known.port : Number(url.port);
  const shown = isIP(host) === 6 ? `[${host}]` : host;
  return {
    kind: known.kind,
    host,
    port,
    variable,
    address: `${known.kind}://${shown}:${port}`,
    ...(url.username === "" && url.password === "" ? {} : { user: userOf(url) }),
  };
}

function userOf({ username, password }: URL) {
  return { name: decoded(username), password: decoded(password) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
