/**
 * Computes the states of the executor, as a pure function. The caller does what `tick` returns: it asks the person, runs the
 * group (`render_requested`), or ends the batch. An input that a state does not expect changes nothing.
 */
import {
  type Batch,
  type ExecutorInput,
  type ExecutorState,
  type Group,
  maxSideBySide,
  type TickResult,
  type Verdict,
} from "./state.ts";

export interface Transition {
  readonly state: ExecutorState;
  readonly action: TickResult;
}

/** Returns the state after the input, and the caller's next action. */
export function transition(state: ExecutorState, input: ExecutorInput): Transition {
  switch (input.type) {
    case "submit":
      return submit(state, input);
    case "evaluated":
      return stay(evaluated(state, input.id, input.verdict));
    case "answered":
      return stay(answered(state, input.id, input.allowed));
    case "finished":
      return stay(finished(state, input.id));
    case "cancel":
      return stay(cancel(state));
    case "tick":
      return tick(state);
  }
}

function stay(state: ExecutorState): Transition {
  return { state, action: "no_action" };
}

function submit(state: ExecutorState, input: Extract<ExecutorInput, { type: "submit" }>): Transition {
  if (state.name !== "idle") return stay(state);
  const { calls, iteration, iterationLimit } = input;
  return stay(next({ calls, settled: new Set(), iteration, iterationLimit }));
}

function evaluated(state: ExecutorState, id: string, verdict: Verdict): ExecutorState {
  if (state.name !== "evaluating_policy" || !state.group.ids.includes(id)) return state;
  if (state.group.verdicts.has(id)) return state;
  return { ...state, group: withVerdict(state.group, id, verdict) };
}

function answered(state: ExecutorState, id: string, allowed: boolean): ExecutorState {
  if (state.name !== "awaiting_permission" || state.asking !== id || state.answered) return state;
  return { ...state, answered: true, group: withVerdict(state.group, id, allowed ? "allow" : "refuse") };
}

function finished(state: ExecutorState, id: string): ExecutorState {
  if (state.name !== "executing" || !state.running.has(id)) return state;
  const running = new Set(state.running);
  running.delete(id);
  return { ...state, running };
}

function cancel(state: ExecutorState): ExecutorState {
  switch (state.name) {
    case "idle":
    case "completed":
      return state;
    case "evaluating_policy":
    case "awaiting_permission":
      return { name: "completed", batch: settleAll(state.batch), reported: false };
    case "executing":
      return { ...state, cancelled: true };
  }
}

function tick(state: ExecutorState): Transition {
  switch (state.name) {
    case "idle":
      return stay(state);
    case "evaluating_policy":
      return state.group.ids.every((id) => state.group.verdicts.has(id))
        ? proceed(state.batch, state.group)
        : stay(state);
    case "awaiting_permission":
      return state.answered ? proceed(state.batch, state.group) : stay(state);
    case "executing":
      if (state.running.size > 0) return stay(state);
      return tick(next(state.cancelled ? settleAll(state.batch) : settle(state.batch, state.group)));
    case "completed":
      if (state.reported) return stay({ name: "idle" });
      return { state: { ...state, reported: true }, action: outcome(state.batch) };
  }
}

/**
 * Continues with a group whose calls are all judged: asks about the next call, or, if no question is left, runs the allowed
 * calls. If no call is allowed, continues with the next group or ends the batch.
 */
function proceed(batch: Batch, group: Group): Transition {
  const asking = group.ids.find((id) => group.verdicts.get(id) === "ask");
  if (asking !== undefined) {
    return {
      state: { name: "awaiting_permission", batch, group, asking, answered: false },
      action: "show_permission_prompt",
    };
  }
  const running = new Set(group.ids.filter((id) => group.verdicts.get(id) === "allow"));
  if (running.size === 0) return tick(next(settle(batch, group)));
  return {
    state: { name: "executing", batch, group, running, cancelled: false },
    action: "render_requested",
  };
}

/** Returns the state that judges the next calls without a result; `completed` if there are none. */
function next(batch: Batch): ExecutorState {
  const open = batch.calls.filter((call) => !batch.settled.has(call.id));
  const first = open[0];
  if (first === undefined) return { name: "completed", batch, reported: false };
  const neighbours = open.findIndex((call) => !call.readOnly);
  const length = first.readOnly ? Math.min(neighbours === -1 ? open.length : neighbours, maxSideBySide) : 1;
  const ids = open.slice(0, length).map((call) => call.id);
  return { name: "evaluating_policy", batch, group: { ids, verdicts: new Map() } };
}

function withVerdict(group: Group, id: string, verdict: Verdict): Group {
  return { ...group, verdicts: new Map([...group.verdicts, [id, verdict]]) };
}

function settle(batch: Batch, group: Group): Batch {
  return { ...batch, settled: new Set([...batch.settled, ...group.ids]) };
}

function settleAll(batch: Batch): Batch {
  return { ...batch, settled: new Set(batch.calls.map((call) => call.id)) };
}

function outcome(batch: Batch): TickResult {
  return batch.iteration >= batch.iterationLimit ? "iteration_limit_reached" : "iteration_complete";
}
