/**
 * Keeps one record of each call of a batch, from the answer of the model to the result. A state has exactly the data that
 * exists in it.
 */
import type { Achievement, ImageContent, PlanApproval, ToolCall, ToolResult } from "@localharness/protocol";
import type { Verdict } from "../executor/state.ts";
import type { PolicyQuestion } from "../policy/rule.ts";
import { findDuplicates } from "./find-duplicates.ts";
import type { PreparedCall, ReadyCall, SettledCall } from "./prepare-call.ts";

/** A call that the policy has judged. */
export interface JudgedCall {
  readonly call: ReadyCall;
  /** The question for the policy by which the call was decided. */
  readonly question: PolicyQuestion;
  /** What the guard against duplicates read of the call's object before the call ran. */
  readonly fingerprint?: string;
}

/** A call that may run. */
export interface AllowedCall extends JudgedCall {
  /** The person's approval of the plan that the call presents. */
  readonly approval?: PlanApproval;
  /** The id of the tool's offer that the person took. */
  readonly offer?: string;
}

export interface DeliveredResult {
  readonly id: string;
  readonly toolName: string;
  readonly result: ToolResult;
  /** The reason of a failure in words for the person; absent if the result's message is for both. */
  readonly why?: string;
  readonly achieved: readonly Achievement[];
  /** The change that the call made, as a unified diff. */
  readonly diff?: string;
  /** The images of the result, which its message does not contain. */
  readonly images?: readonly ImageContent[];
}

/** `raw` is the call as the model made it. */
export type CallInWork = { readonly raw: ToolCall } & (
  | { readonly state: "invalid"; readonly call: SettledCall }
  /** Waits for the result of `first`, the id of the first identical call of the batch. */
  | { readonly state: "repeats"; readonly call: ReadyCall; readonly first: string }
  | { readonly state: "prepared"; readonly call: ReadyCall }
  /** The person must be asked, or is being asked. */
  | ({ readonly state: "asked" } & JudgedCall)
  | ({ readonly state: "allowed" } & AllowedCall)
  | { readonly state: "running"; readonly call: ReadyCall }
  | { readonly state: "ended"; readonly end: DeliveredResult }
);

type State = CallInWork["state"];
export type CallIn<S extends State> = Extract<CallInWork, { readonly state: S }>;

/** The calls of one batch by id, in the order of the answer. */
export type CallsInWork = Map<string, CallInWork>;

/** The states that may follow a state. Any call may end, because an interrupt ends it. */
const next: Readonly<Record<State, readonly State[]>> = {
  invalid: ["ended"],
  repeats: ["ended"],
  prepared: ["asked", "allowed", "ended"],
  asked: ["allowed", "ended"],
  allowed: ["running", "ended"],
  running: ["ended"],
  ended: [],
};

/** Returns the records of the calls, which `prepare` prepares in their order. */
export function takeCalls(
  calls: readonly ToolCall[],
  prepare: (call: ToolCall) => PreparedCall,
): CallsInWork {
  const prepared = calls.map((raw) => ({ raw, call: prepare(raw) }));
  const firstOf = findDuplicates(prepared.map(({ call }) => call));
  return new Map(prepared.map(({ raw, call }) => [raw.id, firstState(raw, call, firstOf.get(raw.id))]));
}

function firstState(raw: ToolCall, call: PreparedCall, first: string | undefined): CallInWork {
  if (call.kind === "settled") return { state: "invalid", raw, call };
  return first === undefined ? { state: "prepared", raw, call } : { state: "repeats", raw, call, first };
}

/** Returns the record of the call. */
export function callOf(calls: CallsInWork, id: string): CallInWork {
  const found = calls.get(id);
  if (found === undefined) throw new Error(`the batch has no call ${id}`);
  return found;
}

/** Returns the record of the call, which must be in this state. */
export function callIn<S extends State>(calls: CallsInWork, id: string, state: S): CallIn<S> {
  const found = callOf(calls, id);
  if (!isIn(found, state)) throw new Error(`the call ${id} is ${found.state}, not ${state}`);
  return found;
}

function isIn<S extends State>(call: CallInWork, state: S): call is CallIn<S> {
  return call.state === state;
}

/**
 * Puts the call into another state. Returns false, and changes nothing, if the call has ended: a judgement or an answer may
 * come after the interrupt that ended it. Throws if the state cannot follow.
 */
export function advance(calls: CallsInWork, to: CallInWork): boolean {
  const { id } = to.raw;
  const from = callOf(calls, id);
  if (from.state === "ended") return false;
  if (!next[from.state].includes(to.state)) {
    throw new Error(`the call ${id} is ${from.state} and cannot become ${to.state}`);
  }
  calls.set(id, to);
  return true;
}

/** Returns the name of the tool, or the name that the model gave it if no tool has it. */
export function toolNameOf(one: CallInWork): string {
  if (one.state === "ended") return one.end.toolName;
  return one.call.kind === "ready" ? one.call.tool.name : one.call.toolName;
}

/** Returns what the executor is told about the call once it was judged, or the person was asked. */
export function verdictOf({ state }: CallInWork): Verdict {
  if (state === "allowed") return "allow";
  return state === "asked" ? "ask" : "refuse";
}

/** Returns the ids of the calls that repeat this one and wait for its result. */
export function repeatsOf(calls: CallsInWork, id: string): readonly string[] {
  return [...calls.values()].flatMap((one) =>
    one.state === "repeats" && one.first === id ? [one.raw.id] : [],
  );
}

/** Returns the number of other calls that have no result and are not allowed yet; calls that repeat another do not count. */
export function countWaiting(calls: CallsInWork, id: string): number {
  const waits: readonly State[] = ["invalid", "prepared", "asked"];
  return [...calls.values()].filter(({ raw, state }) => raw.id !== id && waits.includes(state)).length;
}

/** Returns the results that can be delivered now that this call has ended: none if a call before it has no result. */
export function deliverable(calls: CallsInWork, id: string): readonly DeliveredResult[] {
  const open = [...calls.values()].findIndex(({ state }) => state !== "ended");
  const whole = open === -1 ? resultsOf(calls) : resultsOf(calls).slice(0, open);
  const from = whole.findIndex((end) => end.id === id);
  return from === -1 ? [] : whole.slice(from);
}

/** Returns the results of the calls that have ended, in the order of the answer. */
export function resultsOf(calls: CallsInWork): readonly DeliveredResult[] {
  return [...calls.values()].flatMap((one) => (one.state === "ended" ? [one.end] : []));
}
