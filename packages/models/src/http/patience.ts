/** How long to wait for a model, by phase. There is no limit on the whole: a slow model may take its time. */

export interface Limits {
  /** Milliseconds from the request, or from the last word that the prompt is being read, to the first token; a large model may load and read a long prompt. 0: no limit. */
  readonly firstTokenMs: number;
  /** Milliseconds between two tokens; keep-alive lines do not count as tokens. 0: no limit. */
  readonly betweenTokensMs: number;
  /** Milliseconds for the text of an answer that refuses. 0: no limit. */
  readonly refusalMs: number;
}

export const defaultLimits: Limits = {
  firstTokenMs: 30 * 60_000,
  betweenTokensMs: 120_000,
  refusalMs: 5_000,
};

/** How long the connection may stay open after the answer is complete, and after the server's last word. */
const afterFinishMs = { finishing: 1_000, finished: 100 };

export interface Patience extends Disposable {
  /** Aborts when the person aborts or when time runs out. */
  readonly signal: AbortSignal;
  /** Set when time ran out: what was waited for. */
  readonly expired: "first-token" | "next-token" | "end" | undefined;
  token(): void;
  /** The server says that it is at work, without a token: the time for the first begins anew. */
  atWork(): void;
  /** The answer refuses: only its text is waited for. */
  refused(): void;
  /** Said once or often: the time is counted from the first. A token between begins anew. */
  finished(how: "finishing" | "finished"): void;
}

// A longer delay overflows the timer, which then fires at once.
const maxTimerMs = 2 ** 31 - 1;

export function createPatience(limits: Limits, personSignal: AbortSignal): Patience {
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
