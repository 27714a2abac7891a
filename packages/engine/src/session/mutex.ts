/** Runs asynchronous functions one after another. */

/** Returns a lock that runs one function at a time. Each begins when all earlier functions have ended or failed. */
export function createMutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}
