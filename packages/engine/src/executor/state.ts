/** The states of the executor and its inputs, as data. */

/** What the executor knows of a call. */
export interface QueuedCall {
  readonly id: string;
  /** Read-only calls that follow one another run side by side. */
  readonly readOnly: boolean;
}

/** What a call was judged to be: `refuse` for one that is invalid, denied, or has its result already. */
export type Verdict = "allow" | "ask" | "refuse";

/** The calls of one iteration, in the order in which the model asked for them. */
export interface Batch {
  readonly calls: readonly QueuedCall[];
  /** Ids of the calls that have their result. */
  readonly settled: ReadonlySet<string>;
  readonly iteration: number;
  readonly iterationLimit: number;
}

/** Calls that are judged and run together: read-only calls in a row, or one call that changes something. */
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
      /** The call that a person is asked about. */
      readonly asking: string;
      readonly answered: boolean;
    }
  | {
      readonly name: "executing";
      readonly batch: Batch;
      readonly group: Group;
      /** Ids of the calls that run. */
      readonly running: ReadonlySet<string>;
      readonly cancelled: boolean;
    }
  | {
      readonly name: "completed";
      readonly batch: Batch;
      /** True once a tick has returned the outcome; the next tick leads back to idle. */
      readonly reported: boolean;
    };

export type ExecutorInput =
  /** New calls. Ignored in any state but idle. */
  | {
      readonly type: "submit";
      readonly calls: readonly QueuedCall[];
      readonly iteration: number;
      readonly iterationLimit: number;
    }
  /** A call has been judged. */
  | { readonly type: "evaluated"; readonly id: string; readonly verdict: Verdict }
  /** The prompt was answered, or nobody could answer it. */
  | { readonly type: "answered"; readonly id: string; readonly allowed: boolean }
  /** A call that was running has its result. */
  | { readonly type: "finished"; readonly id: string }
  /** No further call starts. The session aborts the calls that run, which still finish. */
  | { readonly type: "cancel" }
  | { readonly type: "tick" };

export type TickResult =
  | "no_action"
  | "show_permission_prompt"
  | "render_requested"
  | "iteration_complete"
  | "iteration_limit_reached";

/** How many read-only calls run side by side at most. */
export const maxSideBySide = 8;
