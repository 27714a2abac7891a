/**
 * What looks in on calls and turns from outside. It can only make things stricter: the most that it says to a call is no.
 * The engine owns the interface.
 */
import type { JsonObject, ToolResult, TurnEndReason } from "@localharness/protocol";
import type { TouchedPath } from "./policy/facts.ts";

/** The turn of a session. */
export interface TurnMark {
  readonly sessionId: string;
  readonly turnId: string;
}

export interface HookedCall {
  readonly turn: TurnMark;
  readonly callId: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** What the call touches, as found on the disk; absent when that is not known. */
  readonly paths?: readonly TouchedPath[];
}

/** What came of the hooks of one event. None of its texts is trusted. */
export interface HookAnswer {
  /** Before a call: it does not run. At the end of a turn: it goes on. The model reads why. */
  readonly block?: string;
  /** For the model, beside the result. */
  readonly notes?: readonly string[];
  /** For the person: what went wrong with a hook. */
  readonly warnings?: readonly string[];
  /** For the record. */
  readonly ran?: readonly HookRun[];
}

export interface HookRun {
  readonly hook: string;
  readonly outcome: "passed" | "blocked" | "failed";
  readonly ms: number;
}

export type HookEvent = "before-tool" | "after-tool" | "turn-end";

export interface Hooks {
  /** For a call that no rule denies, before a person is asked about it. */
  beforeTool(call: HookedCall, signal: AbortSignal): Promise<HookAnswer>;
  /** For a call that has run. A block does nothing. */
  afterTool(call: HookedCall, result: ToolResult, signal: AbortSignal): Promise<HookAnswer>;
  /** Not for a turn that was interrupted. Only a turn that is `done` goes on after a block. */
  turnEnd(turn: TurnMark, reason: TurnEndReason, signal: AbortSignal): Promise<HookAnswer>;
}
