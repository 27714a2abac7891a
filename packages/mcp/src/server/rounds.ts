/**
 * Carries a client's request over several rounds. A question to the person ends a round, and the client then sends the
 * request again with the answer. Between two rounds the work of the request waits.
 */
import { randomBytes } from "node:crypto";
import type { PermissionAnswer, PermissionRequest } from "@localharness/protocol";
import { type InputRequiredResult, inputRequired, ProtocolError } from "@modelcontextprotocol/server";
import type { Access, SentCallMark } from "./offer.ts";
import { answerOf, questionForm } from "./question-form.ts";

/** One round of a request, in the terms of the MCP library. */
export interface Round {
  /** The method and everything that the client asked for. It must be the same in each round of a request. */
  readonly key: string;
  /** The state that the client sent back; undefined in the first round. */
  readonly state: string | undefined;
  readonly responses: Readonly<Record<string, unknown>> | undefined;
  readonly signal: AbortSignal;
  /** False if the client cannot ask the person who uses it. */
  readonly canAsk: boolean;
  /** Present if this program on another machine makes the call. Its questions are then also sent as data. */
  readonly call?: SentCallMark;
  report?(text: string): void;
}

export interface Rounds {
  /**
   * Starts the work, or continues it with the client's answer. Resolves to its result or to the next question. Rejects if
   * the work rejects, if the answer belongs to no open question of this request, or if 200 questions wait already.
   */
  run<T>(round: Round, start: (access: Access) => Promise<T>): Promise<T | InputRequiredResult>;
  /** Ends all work that waits for an answer. */
  close(): void;
}

type RoundOutcome =
  | { readonly kind: "done"; readonly value: unknown }
  | { readonly kind: "asks"; readonly request: PermissionRequest };

interface Work {
  readonly key: string;
  readonly stop: AbortController;
  round: Round;
  next: PromiseWithResolvers<RoundOutcome>;
  question: { readonly request: PermissionRequest; settle(answer: PermissionAnswer): void } | undefined;
}

/** The milliseconds that a client has for an answer. */
const answerMs = 15 * 60_000;
const maxWaiting = 200;
const field = "permission";
const invalidParams = -32602;

export function createRounds(): Rounds {
  const waiting = new Map<string, { readonly work: Work; readonly timer: NodeJS.Timeout }>();

  function park(work: Work): string {
    const state = randomBytes(24).toString("base64url");
    const timer = setTimeout(() => {
      waiting.delete(state);
      work.question?.settle("deny");
    }, answerMs);
    timer.unref();
    waiting.set(state, { work, timer });
    return state;
  }

  function takeUp(round: Round, state: string): Work {
    const found = waiting.get(state);
    if (found === undefined || found.work.key !== round.key) {
      throw new ProtocolError(invalidParams, "this answer belongs to no open question");
    }
    waiting.delete(state);
    clearTimeout(found.timer);
    const { work } = found;
    work.round = round;
    work.next = Promise.withResolvers();
    const { question } = work;
    work.question = undefined;
    if (question !== undefined) question.settle(answerOf(round.responses?.[field], question.request));
    return work;
  }

  return {
    async run<T>(round: Round, start: (access: Access) => Promise<T>) {
      const work = round.state === undefined ? begin(round, start) : takeUp(round, round.state);
      const abort = () => work.stop.abort();
      round.signal.addEventListener("abort", abort, { once: true });
      if (round.signal.aborted) abort();
      try {
        const step = await work.next.promise;
        if (step.kind === "done") return step.value as T;
        if (waiting.size >= maxWaiting) {
          work.stop.abort();
          throw new ProtocolError(invalidParams, `more than ${maxWaiting} questions wait for an answer`);
        }
        const { request } = step;
        return inputRequired({
          inputRequests: { [field]: questionForm(request, round.call !== undefined) },
          requestState: park(work),
        });
      } finally {
        round.signal.removeEventListener("abort", abort);
      }
    },
    close() {
      for (const { work, timer } of waiting.values()) {
        clearTimeout(timer);
        work.stop.abort();
      }
      waiting.clear();
    },
  };
}

function begin<T>(round: Round, start: (access: Access) => Promise<T>): Work {
  const work: Work = {
    key: round.key,
    stop: new AbortController(),
    round,
    next: Promise.withResolvers(),
    question: undefined,
  };
  const ask = (request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer> =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve("deny"), { once: true });
      work.question = { request, settle: resolve };
      work.next.resolve({ kind: "asks", request });
    });
  const access: Access = {
    signal: work.stop.signal,
    report: (text) => work.round.report?.(text),
    ...(round.canAsk ? { ask } : {}),
    ...(round.call === undefined ? {} : { call: round.call }),
  };
  start(access).then(
    (value) => work.next.resolve({ kind: "done", value }),
    (error: unknown) => work.next.reject(error),
  );
  return work;
}
