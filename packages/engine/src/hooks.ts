/**
 * Hooks: programs of the person that run before and after calls and at the end of turns. A hook can block a call, and can
 * never allow one. The engine owns the interface, `harness` runs the programs.
 */
import type { JsonObject, ToolResult, TurnEndReason } from "@localharness/protocol";
import type { TouchedPath } from "./policy/facts.ts";

/** Names one turn of a session. */
export interface TurnMark {
  readonly sessionId: string;
  readonly turnId: string;
}

export interface HookedCall {
  readonly turn: TurnMark;
  readonly callId: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The paths that the call touches, as found on the disk; absent when they are not known. */
  readonly paths?: readonly TouchedPath[];
}

/** What the hooks of one event answered. Its texts are untrusted. */
export interface HookAnswer {
  /** Why the call must not run, or why the turn must go on; the model reads it. */
  readonly block?: string;
  /** Notes for the model, added to the result. */
  readonly notes?: readonly string[];
  /** What went wrong with a hook, for the person. */
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
  /** Called for a call that no rule denies, before the person is asked about it. */
  beforeTool(call: HookedCall, signal: AbortSignal): Promise<HookAnswer>;
  /** Called for a call that has run. `block` has no effect here. */
  afterTool(call: HookedCall, result: ToolResult, signal: AbortSignal): Promise<HookAnswer>;
  /** Called at the end of a turn that was not interrupted. After `block` the turn goes on, if its reason is `done`. */
  turnEnd(turn: TurnMark, reason: TurnEndReason, signal: AbortSignal): Promise<HookAnswer>;
}
