/**
 * Declares what a trial has found about a model. A finding is absent if its check did not run, or did not run to its
 * end.
 */
import type { ModelTuning } from "@localharness/models";
import type { EditForm, ToolSet } from "../model-profiles/tried-profile.ts";

export type TunedFormat = NonNullable<ModelTuning["format"]>;

/** The parts of a trial, in their order. */
export type CheckName = "tool calls" | "several calls at once" | "edits" | "many tools" | "window";

export interface Findings extends WindowFinding, Speeds {
  /** The server's message, if it failed at the plain question, or at a way of calling tools and no other way worked. */
  readonly broken?: string;
  readonly calls?: "native" | "text" | "none";
  readonly format?: TunedFormat;
  readonly several?: boolean;
  /** The names of the arguments whose values had another type than the schema says. */
  readonly wrongTypes?: readonly string[];
  readonly thinks: "field" | "tags" | "opened" | "no";
  /** True if the model announced a call and stopped. */
  readonly announces: boolean;
  /** The form of edits that succeeded. */
  readonly edit?: EditForm | "none";
  /** The largest set of tools out of which the model picked the right one. */
  readonly toolSet?: ToolSet | "none";
  /** The parts without a result, because the time was not enough or the server failed. */
  readonly unfinished: readonly CheckName[];
  readonly requests: number;
  readonly tokensSent: number;
}

export interface WindowFinding {
  /** The tokens of the largest prompt whose first line the model could repeat. */
  readonly remembers?: number;
  /** The window in tokens, if the server cut a prompt of the trial; absent if it cut none, or if the size is unknown. */
  readonly window?: number;
}

/** Tokens per second. */
export interface Speeds {
  readonly readsPerSecond?: number;
  readonly writesPerSecond?: number;
}
