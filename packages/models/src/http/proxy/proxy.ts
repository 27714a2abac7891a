/** Declares a proxy, and the errors that come from it and not from the server. */

export interface NamedProxy {
  readonly kind: "http" | "https" | "socks5";
  /** The name or IP address of the proxy, without brackets. */
  readonly host: string;
  readonly port: number;
  /** The environment variable that names the proxy. */
  readonly variable: string;
  /** The address for display, without user name and password. */
  readonly address: string;
  readonly user?: { readonly name: string; readonly password: string };
}

/** A failure that the proxy reported, or of the connection to it. The message is a whole sentence without a password. */
export class ProxyProblem extends Error {
  /** True if the same request may succeed a little later. */
  readonly mayPass: boolean;

  constructor(message: string, options: ErrorOptions & { readonly mayPass: boolean }) {
    super(message, options);
    this.mayPass = options.mayPass;
  }
}

/** Returns the proxy as the subject of a sentence, with the variable that names it. */
export function proxyName({ address, variable }: Pick<NamedProxy, "address" | "variable">): string {
  return `The proxy ${address} (${variable})`;
}
