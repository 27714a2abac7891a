/** Declares a task that a tool gives to an agent, and its outcome. */
import type { Achievement, PermissionMode } from "@localharness/protocol";
import type { Model } from "./model.ts";
import type { TurnEnd } from "./turn/turn-end.ts";

export interface DelegatedWork {
  /** The agent's name, for questions, progress and the audit log. */
  readonly agent: string;
  readonly task: string;
  readonly systemPrompt: string;
  /** The names of the session's tools that the agent gets; by default the read-only tools. */
  readonly tools?: readonly string[];
  /** The model; by default the session's. */
  readonly model?: Model;
  /** The mode; has an effect only if it is stricter than the session's. */
  readonly mode?: PermissionMode;
  /** The maximum number of iterations; by default the session's. */
  readonly maxIterations?: number;
}

export interface DelegatedEnd {
  readonly end: TurnEnd;
  /** The agent's last message; empty if it wrote none. */
  readonly answer: string;
  readonly iterations: number;
  readonly toolCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly achieved: readonly Achievement[];
}

/** The tool call that the agent works for. */
export interface DelegatingCall {
  readonly callId: string;
  readonly toolName: string;
  readonly signal: AbortSignal;
}

/** Gives the task to an agent. Rejects only after an error in the harness; an interrupt of the call ends the work. */
export type Delegate = (work: DelegatedWork, call: DelegatingCall) => Promise<DelegatedEnd>;
