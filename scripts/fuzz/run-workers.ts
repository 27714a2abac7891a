/** Distributes the cases to worker threads, adds up their results, and terminates a worker whose case hangs. */
import { Worker } from "node:worker_threads";
import type { Failure } from "./failure.ts";
import type { WorkerJob, WorkerMessage } from "./messages.ts";
import { newTally, type Tally } from "./run-cases.ts";

export interface WorkersOptions {
  readonly seed: number;
  /** The first index. */
  readonly from: number;
  readonly runs: number;
  readonly workers: number;
  readonly onFailure: (failure: Failure) => void;
  /** Called every ten seconds with an estimate of the number of cases done. */
  readonly onProgress: (done: number) => void;
}

const progressEvery = 10_000;
/** The milliseconds after which a case, minimizing included, counts as hanging. */
const hangAfter = 60_000;

export async function runWorkers(options: WorkersOptions): Promise<Tally> {
  const total = newTally();
  const places = Array.from({ length: options.workers }, () => new Int32Array(new SharedArrayBuffer(4)));
  const report = () => {
    const steps = places.map((place) =>
      Math.max(0, Math.floor((Atomics.load(place, 0) - options.from) / options.workers)),
    );
    options.onProgress(steps.reduce((sum, step) => sum + step, 0));
  };
  const timer = setInterval(report, progressEvery);
  const shares = places.map((place, first) => runShare(options, total, place, options.from + first));
  await Promise.all(shares);
  clearInterval(timer);
  return total;
}

/** Runs one worker's share of the cases. After a hang, a new worker continues with the next case of the share. */
async function runShare(
  options: WorkersOptions,
  total: Tally,
  place: Int32Array,
  first: number,
): Promise<void> {
  const { seed, workers: step } = options;
  const end = options.from + options.runs;
  for (let from = first; from < end; ) {
    const job: WorkerJob = { seed, first: from, step, end, current: place.buffer as SharedArrayBuffer };
    const hungAt = await runWorker(job, place, total, options.onFailure);
    if (hungAt === undefined) return;
    total.found.slow += 1;
    total.runs += Math.floor((hungAt - from) / step) + 1;
    options.onFailure({
      seed,
      index: hungAt,
      kind: "slow",
      detail: `no end after ${hangAfter / 1000} s`,
      smallest: "",
      reading: "options unknown",
    });
    from = hungAt + step;
  }
}

/** Runs a worker. Resolves to the index of the case that hung, or to undefined when all are done. Rejects if it fails. */
function runWorker(
  job: WorkerJob,
  place: Int32Array,
  total: Tally,
  onFailure: (failure: Failure) => void,
): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: job });
  let last = { index: -1, since: performance.now() };
  const watch = setInterval(() => {
    const index = Atomics.load(place, 0);
    if (index !== last.index) last = { index, since: performance.now() };
    else if (performance.now() - last.since > hangAfter) {
      finish();
      resolve(index);
    }
  }, 1000);
  const finish = () => {
    clearInterval(watch);
    void worker.terminate();
  };
  worker.on("message", (message: WorkerMessage) => {
    if (message.type === "failure") return onFailure(message.failure);
    add(total, message.tally);
    finish();
    resolve(undefined);
  });
  worker.on("error", (error) => {
    clearInterval(watch);
    reject(new Error("A worker of the fuzzer has failed; its error is the cause.", { cause: error }));
  });
  return promise;
}

function add(total: Tally, part: Tally): void {
  total.runs += part.runs;
  for (const kind of Object.keys(part.found) as (keyof Tally["found"])[])
    total.found[kind] += part.found[kind];
  for (const [reading, count] of part.allowed)
    total.allowed.set(reading, (total.allowed.get(reading) ?? 0) + count);
}
