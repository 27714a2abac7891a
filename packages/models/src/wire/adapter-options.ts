/** Declares the options, and the texts of advice, that the adapters of all wire APIs share. */

import type { Http } from "../http/http.ts";
import { defaultLimits, type WaitLimits } from "../http/patience.ts";
import { defaultRetryPolicy, type RetryPolicy } from "../http/retry.ts";
import { bareUrl } from "../http/secrets.ts";
import type { ModelProfile } from "../request/profile/model-profile.ts";
import type { ThinkingControl } from "../request/thinking/control.ts";
import type { ExchangeOptions } from "./exchange.ts";

export interface AdapterOptions {
  /** The id of the provider, for `Model.provider`. */
  readonly provider: string;
  /** The provider's name on screen. */
  readonly title: string;
  readonly model: string;
  readonly http: Http;
  readonly key?: string;
  /** Texts that are masked in every message, as the key is. */
  readonly secrets?: readonly string[];
  readonly limits?: Partial<WaitLimits>;
  readonly retry?: Partial<RetryPolicy>;
  readonly random?: () => number;
  /** False if calls in the text of answers are not read. By default they are. */
  readonly readsText?: boolean;
  /** Instructions for starting the server. They are shown if no server answers at the address. */
  readonly startHint?: string;
  /** The known properties of the model. The caller may share the object with other code. */
  readonly profile?: ModelProfile;
  /** How the model is to think. The caller may share the object with other code. */
  readonly thinking?: ThinkingControl;
  /** The names of settings of sampling that this server does not take. The person is told. */
  readonly untaken?: readonly string[];
  /** The connection for questions about the model; absent if the server does not answer such questions. */
  readonly factsHttp?: Http;
}

export function exchangeOptions(
  options: AdapterOptions,
  limits: WaitLimits = defaultLimits,
): ExchangeOptions {
  return {
    http: options.http,
    limits: { ...limits, ...options.limits },
    retry: { ...defaultRetryPolicy, ...options.retry },
    secrets: [...(options.key === undefined ? [] : [options.key]), ...(options.secrets ?? [])],
    random: options.random ?? Math.random,
    readsText: options.readsText ?? true,
  };
}

/** Returns a function that returns, once, what the settings cannot do on this server. */
export function settingNotices({ title, thinking, untaken = [] }: AdapterOptions): () => readonly string[] {
  const sampling =
    untaken.length === 0
      ? []
      : [`${title} does not take ${untaken.join(", ")}: these settings have no effect there.`];
  let isTold = false;
  return () => {
    const thoughts = thinking?.told();
    const all = [...(isTold ? [] : sampling), ...(thoughts === undefined ? [] : [`${title} ${thoughts}.`])];
    isTold = true;
    return all;
  };
}

/** Returns the advice for status 401 or 403: to set a key, or to check the key that was sent. */
export function keyAdvice(keyVariables: readonly string[], key: string | undefined): string {
  const where = [...keyVariables, "the key file"].join(" or ");
  return key === undefined ? `No key was sent: set it in ${where}.` : `Check the key in ${where}.`;
}

/** Returns the advice for status 404 from an OpenAI-compatible server: to check the base URL. */
export function addressAdvice(baseUrl: string): string {
  return `Is the base URL right? It usually ends in /v1; this one is ${bareUrl(baseUrl)}.`;
}
