/** Limits the time of optional work. */

/** The abort reason of the signal after the work has ended. */
const over = "the work has ended";

/** Resolves to the result of `work`; to undefined if it throws, takes longer than `ms`, or the signal aborts first. */
export async function within<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T | undefined>,
): Promise<T | undefined> {
  const stop = new AbortController();
  const halted = Promise.withResolvers<undefined>();
  const halt = () => {
    stop.abort();
    halted.resolve(undefined);
  };
  const timer = setTimeout(halt, ms);
  signal.addEventListener("abort", halt, { once: true });
  if (signal.aborted) halt();
  try {
    return await Promise.race([work(stop.signal), halted.promise]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", halt);
    // Without a reason the signal gets an error with a stack trace, which takes longer than the rest of this function.
    stop.abort(over);
  }
}
