/** What every adapter of a wire API is made from. */
import type { ExchangeOptions } from "./exchange.ts";
import type { Http } from "./http/http.ts";
import { defaultLimits, type Limits } from "./http/patience.ts";
import { defaultRetryPolicy, type RetryPolicy } from "./http/retry.ts";
import { bareUrl } from "./http/secrets.ts";
import type { ModelProfile } from "./profile/model-profile.ts";

export interface AdapterOptions {
  /** Id of the provider, for `Model.provider`. */
  readonly provider: string;
  /** The provider's name for people. */
  readonly title: string;
  readonly model: string;
  readonly http: Http;
  readonly key?: string;
  /** Hidden in every message, beside the key. */
  readonly secrets?: readonly string[];
  readonly limits?: Partial<Limits>;
  readonly retry?: Partial<RetryPolicy>;
  readonly random?: () => number;
  /** Said when nothing listens at the address: how to start the server. */
  readonly startHint?: string;
  /** What is known of the model; shared with who else wants to know. */
  readonly profile?: ModelProfile;
  /** Asks the server what it tells of the model, where it may tell something. */
  readonly factsHttp?: Http;
}

export function exchangeOptions(options: AdapterOptions, limits: Limits = defaultLimits): ExchangeOptions {
  return {
    http: options.http,
    limits: { ...limits, ...options.limits },
    retry: { ...defaultRetryPolicy, ...options.retry },
    secrets: [...(options.key === undefined ? [] : [options.key]), ...(options.secrets ?? [])],
    random: options.random ?? Math.random,
  };
}

/** What to do when a server refuses: there was no key, or another is wanted. */
export function keyAdvice(keyVariables: readonly string[], key: string | undefined): string {
  const where = [...keyVariables, "the key file"].join(" or ");
  return key === undefined ? `No key was sent: set it in ${where}.` : `Check the key in ${where}.`;
}

/** What to do when an OpenAI-compatible server knows nothing of what was asked. */
export function addressAdvice(baseUrl: string): string {
  return `Is the base URL right? It usually ends in /v1; this one is ${bareUrl(baseUrl)}.`;
}

/** `a, b, c and 4 more`, or undefined for none. */
export function listNames(names: readonly string[], most = 12): string | undefined {
  if (names.length === 0) return undefined;
  const shown = names.slice(0, most).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
