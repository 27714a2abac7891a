/** Describes the proxies that the environment names, for people. */
import { ProxyProblem } from "./proxy.ts";
import { exceptionsOf, proxyFor } from "./proxy-rules.ts";

export interface DescribedProxy {
  readonly scheme: "https" | "http";
  /** False if the variable names no proxy that can be used. */
  readonly ok: boolean;
  /** The address and the variable without a password, and the hosts without a proxy; or the problem. */
  readonly words: string;
}

/** A public address that only stands for any server. It is not reached. */
const anywhere = "1.1.1.1";

/** Returns the proxies for servers that are not on this machine or its networks. */
export function describeProxies(
  environment: Readonly<Record<string, string | undefined>>,
): readonly DescribedProxy[] {
  const { NO_PROXY: _upper, no_proxy: _lower, ...named } = environment;
  const exceptions = exceptionsOf(environment);
  const but = exceptions === undefined ? "" : `, not for ${exceptions.value} (${exceptions.name})`;
  return (["https", "http"] as const).flatMap((scheme): DescribedProxy[] => {
    try {
      const proxy = proxyFor(new URL(`${scheme}://${anywhere}`), named);
      if (proxy === undefined) return [];
      const user = proxy.user === undefined ? "" : ", with a user name and a password";
      return [{ scheme, ok: true, words: `${proxy.address} (${proxy.variable})${user}${but}` }];
    } catch (error) {
      if (error instanceof ProxyProblem) return [{ scheme, ok: false, words: error.message }];
      throw error;
    }
  });
}
