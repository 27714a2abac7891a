/**
 * Runs one model call over any wire API: sends the request, reads the answer, and retries until the first token. No other
 * module decides about the retries and time limits of a `Wire`.
 */

import type { ModelRequest } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import { createAnswerBound } from "./answer-bound.ts";
import { relay } from "./event-relay.ts";
import { errorText, fromHttp, fromStatus, looksLikeHtml, type ModelFailure } from "./failure.ts";
import type { Http, HttpResponse } from "./http/http.ts";
import { createLoadingWait } from "./http/loading-wait.ts";
import { createPatience, type Limits, type Patience } from "./http/patience.ts";
import { readText } from "./http/read-answer.ts";
import { longWait, type RetryPolicy, readRetryAfter, retryText, wait, waitBefore } from "./http/retry.ts";
import { bareUrl, maskSecrets } from "./http/secrets.ts";
import { joinDeltas } from "./join-deltas.ts";
import { listNames } from "./list-names.ts";
import { createPhaseReport, type PhaseReport } from "./phase-report.ts";
import { signInAdvice } from "./sign-in.ts";
import type { AnswerReader, Wire } from "./wire.ts";

export interface ExchangeOptions {
  readonly http: Http;
  readonly limits: Limits;
  readonly retry: RetryPolicy;
  /** Texts that are masked in every message. */
  readonly secrets: readonly string[];
  /** Returns a random number from 0 to 1, for the jitter of waits. */
  readonly random: () => number;
}

/**
 * Yields the events of one answer. The last event is a `model-end` or a `model-error`, and there is only one of these.
 * Never throws.
 */
export function exchange(
  wire: Wire,
  request: ModelRequest,
  signal: AbortSignal,
  options: ExchangeOptions,
): AsyncIterable<ModelEvent> {
  return relay(batches(wire, request, signal, options), (batch) => batch);
}

/** Yields the same events as `exchange` in batches: one batch for each part that arrived, and one for each retry. */
async function* batches(
  wire: Wire,
  request: ModelRequest,
  signal: AbortSignal,
  options: ExchangeOptions,
): AsyncGenerator<readonly ModelEvent[]> {
  const loading = createLoadingWait(options);
  const phases = createPhaseReport(wire, request);
  for (let attempt = 1; ; ) {
    const outcome: Outcome = { started: false, slow: false, failure: undefined };
    phases.connecting();
    await wire.prepare();
    const declined = wire.declines(request);
    if (declined === undefined) yield* tryOnce(wire, request, signal, options, outcome, phases);
    else outcome.failure = declined;
    const { failure } = outcome;
    if (failure === undefined) return;
    if (!outcome.started && failure.loading === true) {
      const waiting = loading.next(failure);
      if (waiting !== undefined) {
        if (waiting.told !== undefined) yield [waiting.told];
        phases.loading();
        if (await wait(waiting.waitMs, signal)) continue;
        yield [closing(abortedWhileWaiting, options)];
        return;
      }
    }
    if (!outcome.started && failure.code !== "aborted") {
      const change = wire.adaptTo(failure);
      if (change !== undefined) {
        yield [{ type: "model-retry", attempt, waitMs: 0, message: maskSecrets(change, options.secrets) }];
        continue;
      }
      const { tries, slowTries } = options.retry;
      const most = outcome.slow ? Math.min(tries, slowTries) : tries;
      const tooLong = longWait(failure, options.retry);
      if (tooLong !== undefined) {
        yield [await explained(wire, tooLong, attempt, options)];
        return;
      }
      if (failure.retryable && attempt < most) {
        const waitMs = waitBefore(options.retry, attempt, failure.retryAfterMs, options.random);
        const message = retryText(maskSecrets(failure.message, options.secrets), attempt, most, waitMs);
        yield [{ type: "model-retry", attempt, waitMs, message }];
        attempt += 1;
        if (await wait(waitMs, signal)) continue;
        yield [closing(abortedWhileWaiting, options)];
        return;
      }
    }
    yield [await explained(wire, failure, attempt, options)];
    return;
  }
}

const abortedWhileWaiting: ModelFailure = {
  code: "aborted",
  message: "Aborted while waiting to try again.",
  retryable: false,
};

interface Outcome {
  /** True once a token was yielded. No retry is allowed after that. */
  started: boolean;
  /** True if the time limit for the first token was reached. */
  slow: boolean;
  failure: ModelFailure | undefined;
}

async function* tryOnce(
  wire: Wire,
  request: ModelRequest,
  signal: AbortSignal,
  options: ExchangeOptions,
  outcome: Outcome,
  phases: PhaseReport,
): AsyncGenerator<readonly ModelEvent[]> {
  using patience = createPatience(options.limits, signal);
  const answer = await options.http.send(wire.request(request), patience.signal, phases.connected);
  if (answer.kind !== "response") {
    outcome.slow = patience.expired !== undefined;
    outcome.failure = expiry(wire, patience, options.limits) ?? fromHttp(answer);
    return;
  }
  if (answer.status < 200 || answer.status > 299) {
    patience.refused();
    const refused = await refusal(wire, answer);
    outcome.failure = signal.aborted ? { code: "aborted", message: "Aborted.", retryable: false } : refused;
    return;
  }
  phases.answered();
  const reader = wire.createReader(request);
  const bound = createAnswerBound(options.limits.answerChars);
  for await (const part of answer.parts) {
    if (typeof part !== "string") {
      // The answer is complete, even if the server then keeps the connection open or drops it.
      if (patience.expired === "end") break;
      if (reader.progress === "finished" && part.kind === "dropped") break;
      outcome.slow = patience.expired !== undefined;
      outcome.failure = broken(expiry(wire, patience, options.limits) ?? fromHttp(part), reader);
      return;
    }
    // The answer is complete. Reading to the end of the body lets the connection be used again.
    if (reader.progress === "finished") continue;
    const unkept = reader.unkeptChars;
    const batch = bound.take(upToFailure(reader.push(part), outcome), reader.unkeptChars);
    if (batch.some(isOfAnswer) || reader.unkeptChars > unkept) {
      outcome.started = true;
      patience.token();
    } else if (batch.some((event) => event.type === "prompt-progress")) patience.atWork();
    if (batch.length > 0) yield joinDeltas(batch);
    if (outcome.failure !== undefined) return;
    if (bound.isMet) {
      yield bound.close(reader.cut());
      return;
    }
    if (reader.progress !== "open") patience.finished(reader.progress);
  }
  const batch = bound.close(bound.take(upToFailure(reader.end(), outcome), reader.unkeptChars));
  outcome.started ||= batch.some((event) => isOfAnswer(event) && event.type !== "model-end");
  if (batch.length > 0) yield joinDeltas(batch);
}

/** Returns false for token counts and prompt progress, which are not part of the model's answer. */
function isOfAnswer({ type }: ModelEvent): boolean {
  return type !== "usage" && type !== "prompt-progress";
}

/** Returns the events before the first `model-error` and stores that error in the outcome. */
function upToFailure(events: readonly ModelEvent[], outcome: Outcome): readonly ModelEvent[] {
  const at = events.findIndex((event) => event.type === "model-error");
  const failure = events[at];
  if (failure?.type !== "model-error") return events;
  outcome.failure = failure;
  return events.slice(0, at);
}

async function refusal(wire: Wire, answer: HttpResponse): Promise<ModelFailure> {
  // The body of a redirect is also read, because an unread body keeps its connection busy.
  const body = await readText(answer, 64 * 1024);
  if (answer.status >= 300 && answer.status < 400) {
    const to = bareUrl(answer.headers["location"] ?? "nowhere");
    const message = `${wire.who} redirects to ${to}. Redirects are not followed, so that no key is sent elsewhere: if that is the right address, give it as the base URL.`;
    return { code: "bad-response", message, retryable: false, status: answer.status };
  }
  const plain = fromStatus(answer.status, said(body), wire.who);
  const signIn = signInAdvice(body);
  const failure = signIn === undefined ? plain : { ...plain, message: `${plain.message} ${signIn}` };
  const retryAfterMs = readRetryAfter(answer.headers["retry-after"], Date.now());
  return retryAfterMs === undefined ? failure : { ...failure, retryAfterMs };
}

function said(body: string): string {
  if (looksLikeHtml(body)) return "a web page instead of JSON";
  let text: string | undefined;
  try {
    text = errorText(JSON.parse(body));
  } catch {
    text = body;
  }
  return (text ?? "").trim().slice(0, 1_000);
}

function expiry(wire: Wire, patience: Patience, limits: Limits): ModelFailure | undefined {
  switch (patience.expired) {
    case undefined:
      return undefined;
    case "first-token":
      return timeout(`${wire.who} sent no token within ${seconds(limits.firstTokenMs)}.`);
    case "next-token":
    case "end":
      return timeout(`${wire.who} stopped sending: no token for ${seconds(limits.betweenTokensMs)}.`);
  }
}

function timeout(message: string): ModelFailure {
  return { code: "timeout", message, retryable: true };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

/** The maximum number of names of incomplete calls in a message. */
const maxNames = 3;

function broken(failure: ModelFailure, reader: AnswerReader): ModelFailure {
  const open = reader.openCalls();
  if (open.length === 0 || failure.code === "aborted") return failure;
  return {
    ...failure,
    message: `${failure.message} Incomplete calls, not run: ${listNames(open, maxNames)}.`,
  };
}

async function explained(
  wire: Wire,
  failure: ModelFailure,
  attempts: number,
  options: ExchangeOptions,
): Promise<ModelEvent> {
  const advice = failure.code === "aborted" ? undefined : await wire.advise(failure);
  const tried = attempts > 1 ? [`Tried ${attempts} times.`] : [];
  const message = [failure.message, ...tried, ...(advice === undefined ? [] : [advice])].join(" ");
  return closing({ ...failure, message }, options);
}

function closing(failure: ModelFailure, options: ExchangeOptions): ModelEvent {
  const { code, retryable, status } = failure;
  const message = maskSecrets(failure.message, options.secrets);
  return { type: "model-error", code, message, retryable, ...defined({ status }) };
}
