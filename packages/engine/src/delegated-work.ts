/** A task that a tool gives to an agent: what the tool asks for, and what it gets back. */
import type { Achievement, PermissionMode } from "@localharness/protocol";
import type { Model } from "./model.ts";
import type { TurnEnd } from "./turn/turn-end.ts";

export interface DelegatedWork {
  /** The agent's name. It is shown in questions and progress, and recorded in the audit log. */
  readonly agent: string;
  readonly task: string;
  readonly systemPrompt: string;
  /** Names of the session's tools that the agent gets. Default: the tools that only read. */
  readonly tools?: readonly string[];
  /** Default: the session's model. */
  readonly model?: Model;
  /** Used only where it is stricter than the session's mode. */
  readonly mode?: PermissionMode;
  /** Default: the session's limit. */
  readonly maxIterations?: number;
}

export interface DelegatedEnd {
  readonly end: TurnEnd;
  /** The agent's last words; empty when it said nothing. */
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

/** Has an agent do the work. Rejects only for a defect; an interrupt of the call ends the work. */
export type Delegate = (work: DelegatedWork, call: DelegatingCall) => Promise<DelegatedEnd>;
