/**
 * Runs one model call over any wire API: sends the request, reads the answer, and retries until the first token, and also
 * after it if the server could not read its model's answer. No other module decides about the retries and time limits of a `Wire`.
 */

import type { ModelRequest } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import { countText, defined } from "@localharness/protocol";
import { createAnswerBound } from "../answer/answer-bound.ts";
import { relay } from "../answer/event-relay.ts";
import { fromHttp, fromStatus, type ModelFailure, withUnread } from "../answer/failure.ts";
import { joinDeltas } from "../answer/join-deltas.ts";
import { listNames } from "../choice/list-names.ts";
import { signInAdvice } from "../choice/sign-in.ts";
import type { Http, HttpRequest, HttpResponse } from "../http/http.ts";
import { createLoadingWait } from "../http/loading-wait.ts";
import { createPatience, type Patience, type WaitLimits } from "../http/patience.ts";
import { readText } from "../http/read-answer.ts";
import { longWait, type RetryPolicy, readRetryAfter, retryText, wait, waitBefore } from "../http/retry.ts";
import { bareUrl, maskSecrets } from "../http/secrets.ts";
import { createPhaseReport, type PhaseReport } from "../request/phase-report.ts";
import { noticeEvent } from "../request/thinking/heed.ts";
import { namesSentSize } from "../server-words/overflow.ts";
import type { ParserFailure } from "../server-words/parser-failure.ts";
import { reasonOfBody } from "../server-words/reason.ts";
import { quotedAnswer } from "../text-calls/quoted-answer.ts";
import type { AnswerReader, AskServer, Wire } from "./wire.ts";

export interface ExchangeOptions {
  readonly http: Http;
  readonly limits: WaitLimits;
  readonly retry: RetryPolicy;
  /** Texts that are masked in every message. */
  readonly secrets: readonly string[];
  /** Returns a random number from 0 to 1, for the jitter of waits. */
  readonly random: () => number;
  /** True if calls in the text of answers are read. */
  readonly readsText: boolean;
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
  let unread = 0;
  for (let attempt = 1; ; ) {
    const outcome = newOutcome();
    phases.connecting();
    await wire.prepare();
    const notices = (wire.notices?.() ?? []).map(noticeEvent);
    if (notices.length > 0) yield notices;
    const declined = wire.declines(request);
    if (declined === undefined) yield* tryOnce(wire, request, signal, options, outcome, phases);
    else outcome.failure = declined;
    const failure = sized(outcome.failure, outcome.sentChars);
    if (failure === undefined) return;
    if (failure.unread !== undefined && options.readsText) {
      const quoted = quotedEvents(failure.unread, outcome, request);
      wire.noteUnread(failure.unread);
      if (quoted !== undefined) {
        yield quoted;
        return;
      }
      if (request.tools.length > 0 && unread < maxUnread) {
        unread += 1;
        if (outcome.started) yield [{ type: "answer-restart" }];
        if (wire.declines(request) === undefined) yield [askingAgain(wire, failure.unread, attempt, options)];
        continue;
      }
    }
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
      const ask: AskServer = (asked) => isTaken(wire, asked, request, signal, options);
      const change = await wire.adaptTo(failure, request, ask);
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
      const last = await wire.lastResort(failure, request, ask);
      if (last !== undefined) {
        yield [{ type: "model-retry", attempt, waitMs: 0, message: maskSecrets(last, options.secrets) }];
        continue;
      }
    }
    yield [await explained(wire, wire.reported(failure, request), attempt, options)];
    return;
  }
}

/** Implements `AskServer`. */
async function isTaken(
  wire: Wire,
  asked: HttpRequest,
  request: ModelRequest,
  signal: AbortSignal,
  options: ExchangeOptions,
): Promise<boolean | undefined> {
  const done = new AbortController();
  using patience = createPatience(options.limits, AbortSignal.any([signal, done.signal]));
  try {
    const answer = await options.http.send(asked, patience.signal);
    if (answer.kind !== "response") return undefined;
    if (answer.status < 200 || answer.status > 299) return isRefusal(answer.status) ? false : undefined;
    const reader = wire.createReader(request);
    for await (const part of answer.parts) {
      if (typeof part !== "string") return undefined;
      const [event] = reader.push(part).filter(isOfAnswer);
      if (event !== undefined) return event.type !== "model-error";
    }
    return reader.end().every(({ type }) => type !== "model-error");
  } finally {
    done.abort();
  }
}

/** Returns true for a status that says something about the request, and not only about the server at this moment. */
function isRefusal(status: number): boolean {
  return (
    status === 500 || status === 501 || (status < 500 && status !== 408 && status !== 425 && status !== 429)
  );
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
  /** The text and the thoughts that were yielded. */
  readonly shown: ModelEvent[];
  /** True if a native call was yielded, or a part of one. */
  called: boolean;
  sentChars: number;
}

function newOutcome(): Outcome {
  return { started: false, slow: false, failure: undefined, shown: [], called: false, sentChars: 0 };
}

/**
 * Returns the events that take the model's text, which the server could not read and quotes in its error, as the rest of the answer;
 * undefined if that text has no use. A native call that has begun is void.
 */
function quotedEvents(
  unread: ParserFailure,
  { shown, called }: Outcome,
  request: ModelRequest,
): readonly ModelEvent[] | undefined {
  const before = shown.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
  const rest = quotedAnswer(unread, before, request);
  return rest === undefined || !called ? rest : [{ type: "answer-restart" }, ...shown, ...rest];
}

function askingAgain(
  { who }: Wire,
  { kind }: ParserFailure,
  attempt: number,
  { secrets }: ExchangeOptions,
): ModelEvent {
  const message = maskSecrets(`${who} could not read the model's answer (${kind}). Asking again.`, secrets);
  return { type: "model-retry", attempt, waitMs: 0, message };
}

/** Returns the failure as a full window if it names the size of the prompt that was sent. */
function sized(failure: ModelFailure | undefined, sentChars: number): ModelFailure | undefined {
  if (failure?.code !== "bad-request" && failure?.code !== "server-error") return failure;
  const { status = 500, said = "" } = failure;
  if (!namesSentSize(status, said, sentChars / charsPerToken)) return failure;
  return { ...failure, code: "context-overflow", retryable: false };
}

/** An estimate. The numbers of a refusal count as the size of the prompt even if they differ from it by a factor of two. */
const charsPerToken = 4;

/** The maximum number of requests that follow a failure of a server to read its model's answer. */
const maxUnread = 3;

async function* tryOnce(
  wire: Wire,
  request: ModelRequest,
  signal: AbortSignal,
  options: ExchangeOptions,
  outcome: Outcome,
  phases: PhaseReport,
): AsyncGenerator<readonly ModelEvent[]> {
  using patience = createPatience(options.limits, signal);
  const sent = wire.request(request);
  outcome.sentChars = sent.body?.length ?? 0;
  const answer = await options.http.send(sent, patience.signal, phases.connected);
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
      wire.taken(request);
      patience.token();
    } else if (batch.some((event) => event.type === "prompt-progress")) patience.atWork();
    if (batch.length > 0) yield noted(joinDeltas(batch), outcome);
    if (outcome.failure !== undefined) return;
    if (bound.isMet) {
      yield bound.close(reader.cut());
      return;
    }
    if (reader.progress !== "open") patience.finished(reader.progress);
  }
  const batch = bound.close(bound.take(upToFailure(reader.end(), outcome), reader.unkeptChars));
  if (outcome.failure === undefined) wire.taken(request);
  outcome.started ||= batch.some((event) => isOfAnswer(event) && event.type !== "model-end");
  if (batch.length > 0) yield joinDeltas(batch);
}

/** Notes in the outcome what was shown, and returns the events. */
function noted(batch: readonly ModelEvent[], outcome: Outcome): readonly ModelEvent[] {
  for (const event of batch) {
    if (event.type === "text-delta" || event.type === "reasoning-delta") outcome.shown.push(event);
    else outcome.called ||= event.type.startsWith("tool-call");
  }
  return batch;
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
  const plain = withUnread(fromStatus(answer.status, reasonOfBody(body), wire.who), body);
  const signIn = signInAdvice(body);
  const failure = signIn === undefined ? plain : { ...plain, message: `${plain.message} ${signIn}` };
  const retryAfterMs = readRetryAfter(answer.headers["retry-after"], Date.now());
  return retryAfterMs === undefined ? failure : { ...failure, retryAfterMs };
}

function expiry(wire: Wire, patience: Patience, limits: WaitLimits): ModelFailure | undefined {
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
  const tried = attempts > 1 ? [`Tried ${countText(attempts, "time")}.`] : [];
  const message = [failure.message, ...tried, ...(advice === undefined ? [] : [advice])].join(" ");
  return closing({ ...failure, message }, options);
}

function closing(failure: ModelFailure, options: ExchangeOptions): ModelEvent {
  const { code, retryable, status } = failure;
  const message = maskSecrets(failure.message, options.secrets);
  return { type: "model-error", code, message, retryable, ...defined({ status }) };
}
