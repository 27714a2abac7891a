/** Holds the retry policy, computes how long to wait before the next try, describes that try, and waits. */
import { timeText } from "@localharness/protocol";
import type { ModelFailure } from "../answer/failure.ts";

export interface RetryPolicy {
  /** The maximum number of tries, including the first. */
  readonly tries: number;
  /**
   * The maximum number of tries if the time limit for the first token is reached. It is lower, because each such try
   * takes the whole time limit.
   */
  readonly slowTries: number;
  readonly firstWaitMs: number;
  /**
   * The maximum wait in milliseconds. If the server asks for a longer wait, there is no further try. 0 means that the
   * next try follows at once, as for a replay.
   */
  readonly maxWaitMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  tries: 4,
  slowTries: 2,
  firstWaitMs: 500,
  maxWaitMs: 60_000,
};

/**
 * Returns the milliseconds to wait after try number `attempt` (from 1), at most `maxWaitMs`. That is the time that the
 * server asked for, or else a time that doubles with each try and that `random` (0 to 1) changes by up to 25 %.
 */
export function waitBefore(
  policy: RetryPolicy,
  attempt: number,
  retryAfterMs: number | undefined,
  random: () => number,
): number {
  const usual = policy.firstWaitMs * 2 ** (attempt - 1) * (0.75 + random() / 2);
  return Math.round(Math.min(retryAfterMs ?? usual, policy.maxWaitMs));
}

/**
 * Returns the failure with advice if the server asks for a longer wait than `maxWaitMs`; otherwise undefined. Always returns
 * undefined if `maxWaitMs` is 0.
 */
export function longWait(failure: ModelFailure, { maxWaitMs }: RetryPolicy): ModelFailure | undefined {
  const { retryAfterMs, message } = failure;
  if (retryAfterMs === undefined || maxWaitMs === 0 || retryAfterMs <= maxWaitMs) return undefined;
  const asked = `The server asks to wait ${timeText(retryAfterMs)}; at most ${timeText(maxWaitMs)} are waited.`;
  const advice = "Send the message again after that time, or use another model.";
  return { ...failure, message: `${message} ${asked} ${advice}` };
}

/**
 * Returns the message and the next try, such as `Busy. Trying again in 2 s (2 of 4).` `attempt` is the number of the
 * failed try.
 */
export function retryText(message: string, attempt: number, attempts: number, waitMs: number): string {
  const seconds = Math.round(waitMs / 1_000);
  const when = seconds === 0 ? "now" : `in ${seconds} s`;
  return `${message} Trying again ${when} (${attempt + 1} of ${attempts}).`;
}

/**
 * Reads a `Retry-After` header (seconds or a date) as milliseconds. Returns undefined if it is absent, unreadable or in
 * the past.
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined || value.trim() === "") return undefined;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
  return ms >= 0 ? ms : undefined;
}

/** Resolves to true after `ms`, or to false as soon as the signal aborts. */
export function wait(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const abort = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve(true);
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
  });
}
