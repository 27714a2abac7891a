/**
 * Adapts any model of the AI SDK to `Model`, so that all providers of that SDK can be used, such as Anthropic, Google
 * and Bedrock. Imports only types from the SDK, because a caller that has such a model also has the SDK.
 */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import type { Model, ModelRequest } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import { countText, defined } from "@localharness/protocol";
import { createCallIds } from "../answer/call-ids.ts";
import { relay } from "../answer/event-relay.ts";
import type { ModelFailure } from "../answer/failure.ts";
import { listNames } from "../choice/list-names.ts";
import { createPatience, defaultLimits, type Patience, type WaitLimits } from "../http/patience.ts";
import {
  defaultRetryPolicy,
  longWait,
  type RetryPolicy,
  retryText,
  wait,
  waitBefore,
} from "../http/retry.ts";
import { maskSecrets } from "../http/secrets.ts";
import { quotedAnswer } from "../text-calls/quoted-answer.ts";
import { aiSdkFailure } from "./ai-sdk/failure.ts";
import { AiSdkReader } from "./ai-sdk/reader.ts";
import { aiSdkRequest } from "./ai-sdk/request.ts";

/** The part of a `LanguageModelV4` that this adapter uses. */
export type AiSdkModel = Pick<LanguageModelV4, "modelId" | "provider" | "doStream">;

export interface FromAiSdkOptions {
  readonly limits?: Partial<WaitLimits>;
  /** The retry policy. It applies only before the first token; nothing is retried after that. */
  readonly retry?: Partial<RetryPolicy>;
  /**
   * Options that are sent with every request, such as `maxOutputTokens`, `temperature`, `reasoning` or
   * `providerOptions`.
   */
  readonly settings?: Omit<LanguageModelV4CallOptions, "prompt" | "tools" | "toolChoice" | "abortSignal">;
  /** True to send the model's earlier reasoning with the history. Some services refuse it. */
  readonly sendsReasoning?: boolean;
  /** Texts that are masked in every message. */
  readonly secrets?: readonly string[];
  /** Returns a random number from 0 to 1, for the jitter of waits. */
  readonly random?: () => number;
}

export function fromAiSdk(model: AiSdkModel, options: FromAiSdkOptions = {}): Model {
  return {
    name: model.modelId,
    provider: model.provider,
    stream: (request, signal) => relay(batches(model, request, signal, options), (batch) => batch),
  };
}

/**
 * Yields the events of one answer in batches. Retries until the first token has come. The last event is `model-end` or
 * `model-error`. Never throws.
 */
async function* batches(
  model: AiSdkModel,
  request: ModelRequest,
  signal: AbortSignal,
  options: FromAiSdkOptions,
): AsyncGenerator<readonly ModelEvent[]> {
  const policy = { ...defaultRetryPolicy, ...options.retry };
  const secrets = options.secrets ?? [];
  for (let attempt = 1; ; attempt += 1) {
    const outcome: Outcome = { started: false, slow: false, failure: undefined, text: "", called: false };
    yield* tryOnce(model, request, signal, options, outcome);
    const { failure } = outcome;
    if (failure === undefined) return;
    const quoted = failure.unread && quotedAnswer(failure.unread, outcome.text, request);
    if (quoted !== undefined && !outcome.called) {
      yield quoted;
      return;
    }
    const most = outcome.slow ? Math.min(policy.tries, policy.slowTries) : policy.tries;
    const tooLong = outcome.started ? undefined : longWait(failure, policy);
    if (tooLong !== undefined) {
      yield [closing(tooLong, attempt, secrets)];
      return;
    }
    const again = !outcome.started && failure.retryable && attempt < most && !signal.aborted;
    if (!again) {
      yield [closing(failure, attempt, secrets)];
      return;
    }
    const waitMs = waitBefore(policy, attempt, failure.retryAfterMs, options.random ?? Math.random);
    const message = retryText(maskSecrets(failure.message, secrets), attempt, most, waitMs);
    yield [{ type: "model-retry", attempt, waitMs, message }];
    if (await wait(waitMs, signal)) continue;
    yield [closing(aborted, 1, secrets)];
    return;
  }
}

interface Outcome {
  /** True once a token was yielded. No retry is allowed after that. */
  started: boolean;
  /** True if the time limit for the first token was reached. */
  slow: boolean;
  failure: ModelFailure | undefined;
  /** The text that was yielded. */
  text: string;
  /** True if a call was yielded, or a part of one. */
  called: boolean;
}

const aborted: ModelFailure = { code: "aborted", message: "Aborted.", retryable: false };

async function* tryOnce(
  model: AiSdkModel,
  request: ModelRequest,
  signal: AbortSignal,
  options: FromAiSdkOptions,
  outcome: Outcome,
): AsyncGenerator<readonly ModelEvent[]> {
  const who = `${model.modelId} (${model.provider})`;
  using patience = createPatience({ ...defaultLimits, ...options.limits }, signal);
  const reader = new AiSdkReader(who, createCallIds(request.messages), request.maxCalls);
  try {
    for await (const part of partsOf(model, request, patience.signal, options)) {
      const events = reader.push(part);
      if (part.type === "finish") patience.finished("finished");
      // A call that is counted but not kept has no event. It still shows that the model is at work.
      if (part.type.startsWith("tool-") && outcome.started && !reader.isFinished) patience.token();
      if (events.length === 0) continue;
      for (const event of events) {
        if (event.type === "text-delta") outcome.text += event.text;
        outcome.called ||= event.type.startsWith("tool-call");
      }
      if (events.some((event) => event.type !== "usage")) {
        outcome.started = true;
        if (!reader.isFinished) patience.token();
      }
      yield events;
    }
  } catch (error) {
    outcome.slow = patience.expired === "first-token";
    // After `finish` the answer is complete, even if the service then keeps the stream open or breaks it.
    if (signal.aborted) outcome.failure = aborted;
    else if (!reader.isFinished) outcome.failure = expiry(patience, who) ?? aiSdkFailure(error, who);
  }
  if (outcome.failure === undefined) {
    const last = reader.end();
    if (last !== undefined) yield last;
    outcome.failure = reader.failure;
  }
  if (outcome.failure !== undefined) outcome.failure = withCalls(outcome.failure, reader.begunCalls());
}

/** Yields the parts of the stream. Throws as soon as the signal aborts, whatever the model does. */
async function* partsOf(
  model: AiSdkModel,
  request: ModelRequest,
  signal: AbortSignal,
  options: FromAiSdkOptions,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const interruption = createInterruption(signal);
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;
  try {
    const asked = aiSdkRequest(request, options.sendsReasoning === true);
    const answer = Promise.resolve(model.doStream({ ...options.settings, ...asked, abortSignal: signal }));
    const { stream } = await interruption.orResultOf(answer);
    reader = stream.getReader();
    for (;;) {
      const next = await interruption.orResultOf(reader.read());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    interruption.stop();
    // The promise is not awaited, because a stream that hangs must not block the turn.
    reader?.cancel().catch(() => undefined);
  }
}

interface Interruption {
  /** Returns the promise's result. Rejects as soon as the signal aborts. Callers must pass one promise at a time. */
  orResultOf<T>(promise: Promise<T>): Promise<T>;
  stop(): void;
}

/**
 * Creates an interruption that uses one listener for a whole stream. `Promise.race` with one long-lived promise would
 * add a reaction to it for every part.
 */
function createInterruption(signal: AbortSignal): Interruption {
  let interrupt: ((reason: DOMException) => void) | undefined;
  const reason = () => new DOMException("Aborted.", "AbortError");
  const onAbort = () => interrupt?.(reason());
  signal.addEventListener("abort", onAbort, { once: true });
  return {
    orResultOf: (promise) =>
      new Promise((resolve, reject) => {
        interrupt = reject;
        promise.then(resolve, reject);
        if (signal.aborted) reject(reason());
      }),
    stop: () => signal.removeEventListener("abort", onAbort),
  };
}

function expiry(patience: Patience, who: string): ModelFailure | undefined {
  if (patience.expired === undefined) return undefined;
  const what = patience.expired === "first-token" ? "sent no token in time" : "stopped sending";
  return { code: "timeout", message: `${who} ${what}.`, retryable: true };
}

function withCalls(failure: ModelFailure, names: readonly string[]): ModelFailure {
  if (names.length === 0 || failure.code === "aborted") return failure;
  return {
    ...failure,
    message: `${failure.message} Incomplete calls, not run: ${listNames(names, 3)}.`,
  };
}

function closing(failure: ModelFailure, attempts: number, secrets: readonly string[]): ModelEvent {
  const { code, retryable, status } = failure;
  const message = maskSecrets(
    failure.message + (attempts > 1 ? ` Tried ${countText(attempts, "time")}.` : ""),
    secrets,
  );
  return { type: "model-error", code, message, retryable, ...defined({ status }) };
}
