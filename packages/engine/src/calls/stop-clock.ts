/** Limits the time of a call, without the time in which it waits for something that does not count, such as the person's answer. */

export interface StopClock {
  /** Calls `over` once after `ms` of the clock's time. Call the result to end the limit. */
  begin(ms: number, over: () => void): () => void;
  /** Resolves to what `wait` does. The clock stands still meanwhile. */
  apart<T>(wait: () => Promise<T>): Promise<T>;
}

/** The longest delay of a timer in milliseconds. A timer with a longer delay would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

interface RunningLimit {
  leftMs: number;
  since: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  readonly over: () => void;
}

/** `now` returns milliseconds that never go back. */
export function createStopClock(now: () => number): StopClock {
  const limits = new Set<RunningLimit>();
  let waiting = 0;
  const go = (limit: RunningLimit) => {
    limit.since = now();
    const fire = () => {
      limits.delete(limit);
      limit.over();
    };
    limit.timer = setTimeout(fire, Math.min(Math.max(limit.leftMs, 1), maxTimerMs));
  };
  const stand = (limit: RunningLimit) => {
    clearTimeout(limit.timer);
    limit.leftMs -= now() - limit.since;
  };
  return {
    begin(ms, over) {
      const limit: RunningLimit = { leftMs: ms, since: now(), timer: undefined, over };
      limits.add(limit);
      if (waiting === 0) go(limit);
      return () => {
        limits.delete(limit);
        clearTimeout(limit.timer);
      };
    },
    async apart(wait) {
      if (waiting === 0) for (const limit of limits) stand(limit);
      waiting += 1;
      try {
        return await wait();
      } finally {
        waiting -= 1;
        if (waiting === 0) for (const limit of limits) go(limit);
      }
    },
  };
}
