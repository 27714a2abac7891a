/** Declares the states and inputs of the executor. */

/** A call as the executor sees it. */
export interface QueuedCall {
  readonly id: string;
  /** True if the call changes nothing; consecutive read-only calls run in parallel. */
  readonly readOnly: boolean;
}

/** The judgement about a call. A call is refused if it is invalid or denied, or if it already has its result. */
export type Verdict = "allow" | "ask" | "refuse";

/** The calls of one answer that the executor takes together, in the model's order. */
export interface Batch {
  readonly calls: readonly QueuedCall[];
  /** The ids of the calls that have a result. */
  readonly settled: ReadonlySet<string>;
  readonly iteration: number;
  readonly iterationLimit: number;
}

/** Calls that are judged and run together: consecutive read-only calls, or one call that changes something. */
export interface Group {
  readonly ids: readonly string[];
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

export type ExecutorState =
  | { readonly name: "idle" }
  | { readonly name: "evaluating_policy"; readonly batch: Batch; readonly group: Group }
  | {
      readonly name: "awaiting_permission";
      readonly batch: Batch;
      readonly group: Group;
      /** The id of the call about which the person is asked. */
      readonly asking: string;
      readonly answered: boolean;
    }
  | {
      readonly name: "executing";
      readonly batch: Batch;
      readonly group: Group;
      /** The ids of the running calls. */
      readonly running: ReadonlySet<string>;
      readonly cancelled: boolean;
    }
  | {
      readonly name: "completed";
      readonly batch: Batch;
      /** True after a tick has returned the outcome; the next tick returns to idle. */
      readonly reported: boolean;
    };

export type ExecutorInput =
  /** New calls; ignored in any state but idle. */
  | {
      readonly type: "submit";
      readonly calls: readonly QueuedCall[];
      readonly iteration: number;
      readonly iterationLimit: number;
    }
  | { readonly type: "evaluated"; readonly id: string; readonly verdict: Verdict }
  /** The question was answered, or nobody could answer it. */
  | { readonly type: "answered"; readonly id: string; readonly allowed: boolean }
  | { readonly type: "finished"; readonly id: string }
  /** Starts no further calls. The caller aborts the running calls, which still finish. */
  | { readonly type: "cancel" }
  | { readonly type: "tick" };

export type TickResult =
  | "no_action"
  | "show_permission_prompt"
  | "render_requested"
  | "iteration_complete"
  | "iteration_limit_reached";

/** The maximum number of read-only calls that run in parallel. */
export const maxSideBySide = 8;
