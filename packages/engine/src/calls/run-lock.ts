/** Lets read-only calls of several batches run in parallel, and runs a call that may change something alone. */

/**
 * Runs `work` when its turn has come, in the order of the requests. After an abort, runs `work` at once, which must then end
 * without doing anything.
 */
export type RunLock = <T>(readOnly: boolean, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

interface Waiting {
  readonly readOnly: boolean;
  begin(): void;
}

export function createRunLock(): RunLock {
  let waiting: Waiting[] = [];
  let reads = 0;
  let changes = 0;

  function startNext(): void {
    for (;;) {
      const [next] = waiting;
      if (next === undefined || changes > 0 || (!next.readOnly && reads > 0)) return;
      waiting.shift();
      if (next.readOnly) reads += 1;
      else changes += 1;
      next.begin();
    }
  }

  /** Resolves to true when it is the turn of this request, and to false if the signal aborts first. */
  function turn(readOnly: boolean, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const one: Waiting = {
        readOnly,
        begin() {
          signal.removeEventListener("abort", leave);
          resolve(true);
        },
      };
      const leave = () => {
        waiting = waiting.filter((other) => other !== one);
        resolve(false);
        startNext();
      };
      signal.addEventListener("abort", leave, { once: true });
      waiting.push(one);
      startNext();
    });
  }

  return async (readOnly, signal, work) => {
    if (!(await turn(readOnly, signal))) return work();
    try {
      return await work();
    } finally {
      if (readOnly) reads -= 1;
      else changes -= 1;
      startNext();
    }
  };
}
