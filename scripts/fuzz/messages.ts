/** The messages between the main thread and the workers. */
import type { Failure } from "./failure.ts";
import type { Tally } from "./run-cases.ts";

/** The cases of one worker: every `step`th index from `first` to `end` - 1. */
export interface WorkerJob {
  readonly seed: number;
  readonly first: number;
  readonly step: number;
  readonly end: number;
  /** The worker writes its current index here, so that a case that hangs can be reported. */
  readonly current: SharedArrayBuffer;
}

export type WorkerMessage =
  | { readonly type: "failure"; readonly failure: Failure }
  | { readonly type: "done"; readonly tally: Tally };
