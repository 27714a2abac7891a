/** Declares what the calls of one answer need from their session or agent, and the outcome of a batch. */
import type { EventBody } from "@localharness/protocol";
import type { AsideOf } from "../aside.ts";
import type { Clock } from "../clock.ts";
import type { Delegate } from "../delegated-work.ts";
import type { CallMemory } from "../guards/duplicates.ts";
import type { TurnMark } from "../hooks.ts";
import type { Freedoms } from "../policy/rule.ts";
import type { AskPerson } from "../questions/ask-person.ts";
import type { QuotedCalls } from "../quoted/quoted-calls.ts";
import type { ToolRegistry } from "../registry.ts";
import type { AdmissionParts } from "./admit-call.ts";
import type { Asker } from "./ask-permission.ts";
import type { DeliveredResult } from "./call-in-work.ts";
import type { HookDesk } from "./consult-hooks.ts";
import type { RunLock } from "./run-lock.ts";

export interface BatchParts extends Asker, AdmissionParts {
  readonly registry: ToolRegistry;
  readonly clock: Clock;
  /** The real path of the workspace. */
  readonly workspace: string;
  /** False if the folder is not trusted; calls that could change something are then denied. */
  readonly trusted: boolean;
  readonly freedoms?: Freedoms;
  /** Returns the real paths of the folders that the person added; absent if there can be none. */
  readonly added?: () => readonly string[];
  /** The latest calls, in which the guard looks for duplicates. */
  readonly earlierCalls: { current: CallMemory };
  /**
   * Returns true if the next prompt contains the whole result of this call. Absent for an agent and for a call without a
   * session; no call then gets a note that points to an earlier result.
   */
  isSentWhole?(callId: string): boolean;
  readonly hooks: HookDesk;
  /** The turn of the calls; absent for a call that belongs to no turn. */
  readonly turn?: TurnMark;
  /** Finds calls that the model may have copied from its input; absent if no model made the call. */
  readonly quoted?: QuotedCalls;
  /**
   * The unknown names for which the model has got a list of tools, with the id of the call. Absent for an agent and for a call
   * that no model made; each such error then has the list.
   */
  readonly listedFor?: Map<string, string>;
  /** Lets a call ask the model outside of the conversation. Absent for calls of an agent and for calls without a session. */
  readonly aside?: AsideOf;
  /** Gives a task to an agent. Absent for the calls of an agent and for a call without a session. */
  readonly delegate?: Delegate;
  /** Runs `ask` under a lock, so that the session and its agents ask the person one after another. */
  questionLock?<T>(ask: () => Promise<T>): Promise<T>;
  /** Asks the person a question of the model; absent for calls without a session. */
  readonly askPerson?: AskPerson;
  /** Keeps calls of other batches from running at the same time; absent if batches run one after another. */
  readonly runLock?: RunLock;
  emit(event: EventBody): void;
  /** Receives each result, in the order of the calls. */
  deliver(result: DeliveredResult): void;
}

export interface BatchLimits {
  readonly iteration: number;
  readonly iterationLimit: number;
  /** The number of calls of the same answer in later batches; 0 by default. */
  readonly callsAfter?: number;
}

export interface BatchOutcome {
  readonly action: "iteration_complete" | "iteration_limit_reached";
  readonly results: readonly DeliveredResult[];
  /** The number of denied calls, whoever or whatever denied them, also if nobody could be asked; agents' calls included. */
  readonly denied: number;
  /** True if the guard against duplicates ended the iteration. */
  readonly loopEnded: boolean;
  /** The plan with which the turn ends, because nobody could approve it. */
  readonly unapproved?: string;
}
