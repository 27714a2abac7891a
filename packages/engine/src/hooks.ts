/**
 * Declares hooks: programs of the person that run before and after calls and at the end of turns. A hook can block a call but
 * never allow one. The package `harness` runs the programs.
 */
import type { JsonObject, ToolResult, TurnEndReason } from "@localharness/protocol";
import type { TouchedPath } from "./policy/facts.ts";

/** The ids of a turn and its session. */
export interface TurnMark {
  readonly sessionId: string;
  readonly turnId: string;
}

export interface HookedCall {
  readonly turn: TurnMark;
  readonly callId: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The paths on disk that the call touches; absent if they are unknown. */
  readonly paths?: readonly TouchedPath[];
}

/** The combined answer of all hooks for one event. Its texts are untrusted. */
export interface HookAnswer {
  /** The reason, for the model, why the call must not run or the turn must continue. */
  readonly block?: string;
  /** Notes: after a call for the model, added to the result; at the end of a turn for the person; ignored before a call. */
  readonly notes?: readonly string[];
  /** Messages for the person about hooks that failed. */
  readonly warnings?: readonly string[];
  /** The hooks that ran, for the audit log. */
  readonly ran?: readonly HookRun[];
}

export interface HookRun {
  readonly hook: string;
  readonly outcome: "passed" | "blocked" | "failed";
  readonly ms: number;
}

export type HookEvent = "before-tool" | "after-tool" | "turn-end";

export interface Hooks {
  /** Called for a call that no rule or limit denies and that is no duplicate, before the person is asked about the call. */
  beforeTool(call: HookedCall, signal: AbortSignal): Promise<HookAnswer>;
  /** Called for a call that has run. `block` has no effect here. */
  afterTool(call: HookedCall, result: ToolResult, signal: AbortSignal): Promise<HookAnswer>;
  /**
   * Called when a turn is about to end, but not the turn of an agent, and not after an interrupt or an error in the
   * harness. If `reason` is `done`, `block` makes the turn continue, at most three times.
   */
  turnEnd(turn: TurnMark, reason: TurnEndReason, signal: AbortSignal): Promise<HookAnswer>;
}
