/** Limits a parse by the processor time that its thread uses. The time in which the thread waits for a processor does not count. */
import type { Worker } from "node:worker_threads";

/** The limit in elapsed time, as a multiple of the limit in processor time. It ends a thread that no longer says what it has used. */
const elapsedFactor = 12;
/** The number of times within the limit that the thread is asked for its processor time. */
const looks = 5;

/**
 * Calls `onOver` with the reason once the thread has used more than `maxMs` of processor time since the first look, or has not ended
 * its parse in twelve times as long. Returns a function that ends the watch.
 */
export function limitParse(thread: Worker, maxMs: number, onOver: (reason: string) => void): () => void {
  const seconds = maxMs / 1_000;
  let before: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const end = () => {
    ended = true;
    clearTimeout(timer);
    clearTimeout(last);
  };
  const over = (reason: string) => {
    if (ended) return;
    end();
    onOver(reason);
  };
  const look = async () => {
    const used = await usedMs(thread);
    before ??= used;
    if (used !== undefined && before !== undefined && used - before >= maxMs) {
      over(`parsing took more than ${seconds} s of processor time`);
    }
    if (!ended) wait();
  };
  const wait = () => {
    timer = setTimeout(() => void look(), maxMs / looks);
  };
  const last = setTimeout(
    () => over(`parsing did not end within ${seconds * elapsedFactor} s`),
    maxMs * elapsedFactor,
  );
  wait();
  return end;
}

/** Resolves to the processor time that a thread has used, in milliseconds; to undefined before the thread runs or after it ended. */
async function usedMs(thread: Worker): Promise<number | undefined> {
  // Node 24.0 to 24.5 cannot tell it; elapsed time counts there.
  if (thread.cpuUsage === undefined) return performance.now();
  const used = await thread.cpuUsage().catch(() => undefined);
  return used === undefined ? undefined : (used.user + used.system) / 1_000;
}
