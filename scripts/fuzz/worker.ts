/** A worker thread of the fuzzer: runs its share of the cases and reports what fails. */
import { parentPort, workerData } from "node:worker_threads";
import type { WorkerJob, WorkerMessage } from "./messages.ts";
import { checkOne, newTally } from "./run-cases.ts";

function tell(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

function runJob(job: WorkerJob): void {
  const { seed, first, step, end } = job;
  const current = new Int32Array(job.current);
  const tally = newTally();
  for (let index = first; index < end; index += step) {
    Atomics.store(current, 0, index);
    const failure = checkOne(seed, index, tally);
    if (failure) tell({ type: "failure", failure });
  }
  tell({ type: "done", tally });
}

runJob(workerData);
