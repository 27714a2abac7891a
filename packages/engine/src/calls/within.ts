/** Limits the time of optional work. */

/** Resolves to the result of `work`; to undefined if it throws, takes longer than `ms`, or the signal aborts first. */
export async function within<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T | undefined>,
): Promise<T | undefined> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ms);
  const stop = AbortSignal.any([signal, late.signal]);
  try {
    return await Promise.race([work(stop), untilAborted(stop)]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    late.abort();
  }
}

/** Resolves once the signal has aborted. */
function untilAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
