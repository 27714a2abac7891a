/**
 * Limits how long to wait for a model in each phase, and how long its answer may become. The time for the whole answer
 * is not limited, because a slow model may need long.
 */
import { defaultAnswerChars, defaultFirstTokenMs } from "./default-limits.ts";

export interface WaitLimits {
  /**
   * The maximum milliseconds from the request, or from the last prompt progress, to the first token. A large model may
   * first have to load and then to read a long prompt. 0 means no limit.
   */
  readonly firstTokenMs: number;
  /** The maximum milliseconds between two tokens. Keep-alive lines do not count as tokens. 0 means no limit. */
  readonly betweenTokensMs: number;
  /** The maximum milliseconds for the body of an error answer. 0 means no limit. */
  readonly refusalMs: number;
  /** The maximum number of characters in one answer: its text, its reasoning and the arguments of its calls. */
  readonly answerChars: number;
}

export const defaultLimits: WaitLimits = {
  firstTokenMs: defaultFirstTokenMs,
  betweenTokensMs: 120_000,
  refusalMs: 5_000,
  answerChars: defaultAnswerChars,
};

/**
 * The milliseconds that the connection may stay open in the states `finishing` and `finished` of
 * `AnswerReader.progress`.
 */
const afterFinishMs = { finishing: 1_000, finished: 100 };

export interface Patience extends Disposable {
  /** Aborts if the person aborts or a time limit is reached. */
  readonly signal: AbortSignal;
  /** The phase whose time limit was reached; undefined if none was. */
  readonly expired: "first-token" | "next-token" | "end" | undefined;
  /** Restarts the limit for the next token. Must be called for each token. */
  token(): void;
  /** Restarts the limit for the first token. Must be called for each prompt progress. */
  atWork(): void;
  /** Starts the limit for the body of an error answer. */
  refused(): void;
  /**
   * Starts the limit for the end of the connection after a complete answer. A repeated call with the same `how` does not
   * restart the limit, unless a token came in between.
   */
  finished(how: "finishing" | "finished"): void;
}

// A longer delay would overflow the timer, which would then fire at once.
const maxTimerMs = 2 ** 31 - 1;

export function createPatience(limits: Omit<WaitLimits, "answerChars">, personSignal: AbortSignal): Patience {
  const controller = new AbortController();
  let waitingFor: "first-token" | "next-token" | "end" = "first-token";
  let expired: Patience["expired"];
  const onTime = () => {
    expired = waitingFor;
    controller.abort();
  };
  const start = (ms: number) => (ms > 0 ? setTimeout(onTime, Math.min(ms, maxTimerMs)) : undefined);
  let timer = start(limits.firstTokenMs);
  let ending: "finishing" | "finished" | undefined;
  const end = (ms: number) => {
    waitingFor = "end";
    clearTimeout(timer);
    timer = start(ms);
  };
  const follow = () => controller.abort();
  if (personSignal.aborted) controller.abort();
  else personSignal.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    token: () => {
      if (waitingFor === "next-token") {
        timer?.refresh();
        return;
      }
      waitingFor = "next-token";
      ending = undefined;
      clearTimeout(timer);
      timer = start(limits.betweenTokensMs);
    },
    atWork: () => {
      if (waitingFor === "first-token") timer?.refresh();
    },
    refused: () => end(limits.refusalMs),
    finished: (how) => {
      if (ending === how) return;
      ending = how;
      end(afterFinishMs[how]);
    },
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      personSignal.removeEventListener("abort", follow);
    },
  };
}
