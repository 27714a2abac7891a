/** What workers are told and what they tell. */
import type { Failure } from "./failure.ts";
import type { Tally } from "./run-cases.ts";

/** A worker takes every `step`th index, from `first` up to but not including `end`. */
export interface WorkerJob {
  readonly seed: number;
  readonly first: number;
  readonly step: number;
  readonly end: number;
  /** Where the worker writes the index that it is at, so that a case that never ends can be named. */
  readonly current: SharedArrayBuffer;
}

export type WorkerMessage =
  | { readonly type: "failure"; readonly failure: Failure }
  | { readonly type: "done"; readonly tally: Tally };
