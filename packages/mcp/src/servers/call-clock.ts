/** Limits the time of calls, without the time in which the server waits for the person. */

export interface CallClock {
  /** Starts to measure a call. `signal` aborts when the limit is over. */
  begin(limitMs: number): TimedCall;
  /** Stops all clocks until `work` has ended. After that, each call has its whole limit again. */
  paused<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface TimedCall {
  readonly signal: AbortSignal;
  /** Begins the limit again, because the call has made progress. */
  again(): void;
  isOver(): boolean;
  end(): void;
}

export function createCallClock(): CallClock {
  const running = new Set<{ start(): void; stop(): void }>();
  let pauses = 0;
  return {
    begin(limitMs) {
      const over = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      const clock = {
        stop: () => clearTimeout(timer),
        start() {
          clearTimeout(timer);
          if (pauses === 0) timer = setTimeout(() => over.abort(), limitMs);
        },
      };
      running.add(clock);
      clock.start();
      return {
        signal: over.signal,
        again: () => clock.start(),
        isOver: () => over.signal.aborted,
        end() {
          clock.stop();
          running.delete(clock);
        },
      };
    },
    async paused(work) {
      pauses += 1;
      for (const clock of running) clock.stop();
      try {
        return await work();
      } finally {
        pauses -= 1;
        if (pauses === 0) for (const clock of running) clock.start();
      }
    },
  };
}
