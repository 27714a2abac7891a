/** The executor's states and inputs, as data. What it means to be in a state is written nowhere else. */

/** A call as the executor knows it. Names and arguments are the session's business. */
export interface QueuedCall {
  readonly id: string;
  /** Read-only calls next to one another run side by side. */
  readonly readOnly: boolean;
}

/** What became of evaluating a call: `refuse` when it is invalid, denied, or already answered. */
export type Verdict = "allow" | "ask" | "refuse";

/** The calls of one iteration, in the order in which the model asked for them. */
export interface Batch {
  readonly calls: readonly QueuedCall[];
  /** Ids that have their result. */
  readonly settled: ReadonlySet<string>;
  readonly iteration: number;
  readonly iterationLimit: number;
}

/** The calls that are evaluated and run together: read-only neighbours, or one call that changes something. */
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
      /** Ids that run. */
      readonly running: ReadonlySet<string>;
      readonly cancelled: boolean;
    }
  | {
      readonly name: "completed";
      readonly batch: Batch;
      /** True once a tick has told the session; the next tick is back to idle. */
      readonly reported: boolean;
    };

export type ExecutorInput =
  /** New calls. Ignored unless idle. */
  | {
      readonly type: "submit";
      readonly calls: readonly QueuedCall[];
      readonly iteration: number;
      readonly iterationLimit: number;
    }
  /** A call has been validated and decided on. */
  | { readonly type: "evaluated"; readonly id: string; readonly verdict: Verdict }
  /** A person, or nobody, has answered the prompt. */
  | { readonly type: "answered"; readonly id: string; readonly allowed: boolean }
  /** A call that ran has its result. */
  | { readonly type: "finished"; readonly id: string }
  /** Nothing new starts; what runs is aborted by the session and still finishes. */
  | { readonly type: "cancel" }
  | { readonly type: "tick" };

export type TickResult =
  | "no_action"
  | "show_permission_prompt"
  | "render_requested"
  | "iteration_complete"
  | "iteration_limit_reached";

/** At most so many read-only calls run side by side. */
export const maxSideBySide = 8;
