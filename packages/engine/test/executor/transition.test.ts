/** The executor: every state with every input, and whole batches with random inputs. */
import { type ExecutorInput, type ExecutorState, transition } from "@localharness/engine";
import { describe, expect, test } from "vitest";

type Name = ExecutorState["name"];
type QueuedCalls = Extract<ExecutorInput, { type: "submit" }>["calls"];

const read = (id: string) => ({ id, readOnly: true });
const change = (id: string) => ({ id, readOnly: false });
const submit = (calls: QueuedCalls, iteration = 1, iterationLimit = 10): ExecutorInput => ({
  type: "submit",
  calls,
  iteration,
  iterationLimit,
});
const tick: ExecutorInput = { type: "tick" };
const cancel: ExecutorInput = { type: "cancel" };
const finished = (id: string): ExecutorInput => ({ type: "finished", id });
const answered = (id: string, allowed: boolean): ExecutorInput => ({ type: "answered", id, allowed });
const evaluated = (id: string, verdict: "allow" | "ask" | "refuse"): ExecutorInput => ({
  type: "evaluated",
  id,
  verdict,
});

const idle: ExecutorState = { name: "idle" };
const reach = (...inputs: readonly ExecutorInput[]): ExecutorState =>
  inputs.reduce<ExecutorState>((state, input) => transition(state, input).state, idle);

/** What a row of the table compares: the state's name, what it is about, and what tick said. */
function summary(state: ExecutorState, action: string): string {
  switch (state.name) {
    case "idle":
      return `idle / ${action}`;
    case "evaluating_policy":
      return `evaluating_policy ${state.group.ids.map((id) => `${id}:${state.group.verdicts.get(id) ?? "?"}`)} / ${action}`;
    case "awaiting_permission":
      return `awaiting_permission ${state.asking} ${state.answered ? "answered" : "open"} / ${action}`;
    case "executing":
      return `executing ${[...state.running]}${state.cancelled ? " cancelled" : ""} / ${action}`;
    case "completed":
      return `completed ${state.reported ? "reported" : "new"} settled ${[...state.batch.settled]} / ${action}`;
  }
}

const evaluating = reach(submit([read("a"), read("b"), change("c")]));
const decided = reach(submit([read("a"), read("b")]), evaluated("a", "allow"), evaluated("b", "ask"));
const asking = reach(submit([change("a"), read("b")]), evaluated("a", "ask"), tick);
const allowed = transition(asking, answered("a", true)).state;
const denied = transition(asking, answered("a", false)).state;
const executing = reach(
  submit([read("a"), read("b"), change("c")]),
  evaluated("a", "allow"),
  evaluated("b", "allow"),
  tick,
);
const done = reach(submit([change("a")]), evaluated("a", "allow"), tick, finished("a"));
const completed = reach(submit([change("a")], 10, 10), evaluated("a", "refuse"), tick);
const completedNew = reach(submit([change("a")], 10, 10), cancel);

const same = "unchanged";
const table: readonly { from: string; state: ExecutorState; input: ExecutorInput; to: string }[] = [
  {
    from: "idle",
    state: idle,
    input: submit([read("a"), change("b")]),
    to: "evaluating_policy a:? / no_action",
  },
  { from: "idle", state: idle, input: submit([]), to: "completed new settled  / no_action" },
  { from: "idle", state: idle, input: evaluated("a", "allow"), to: same },
  { from: "idle", state: idle, input: answered("a", true), to: same },
  { from: "idle", state: idle, input: finished("a"), to: same },
  { from: "idle", state: idle, input: cancel, to: same },
  { from: "idle", state: idle, input: tick, to: same },

  { from: "evaluating", state: evaluating, input: submit([read("z")]), to: same },
  {
    from: "evaluating",
    state: evaluating,
    input: evaluated("a", "allow"),
    to: "evaluating_policy a:allow,b:? / no_action",
  },
  {
    from: "evaluating",
    state: evaluating,
    input: evaluated("b", "refuse"),
    to: "evaluating_policy a:?,b:refuse / no_action",
  },
  {
    from: "evaluating, a call of another group",
    state: evaluating,
    input: evaluated("c", "allow"),
    to: same,
  },
  { from: "evaluating, an unknown call", state: evaluating, input: evaluated("z", "allow"), to: same },
  { from: "evaluating, a second verdict", state: decided, input: evaluated("b", "allow"), to: same },
  { from: "evaluating", state: evaluating, input: answered("a", true), to: same },
  { from: "evaluating", state: evaluating, input: finished("a"), to: same },
  { from: "evaluating", state: evaluating, input: cancel, to: "completed new settled a,b,c / no_action" },
  { from: "evaluating, verdicts missing", state: evaluating, input: tick, to: same },
  {
    from: "evaluating, one to ask about",
    state: decided,
    input: tick,
    to: "awaiting_permission b open / show_permission_prompt",
  },
  {
    from: "evaluating, all allowed",
    state: reach(submit([read("a"), read("b")]), evaluated("a", "allow"), evaluated("b", "allow")),
    input: tick,
    to: "executing a,b / render_requested",
  },
  {
    from: "evaluating, some refused",
    state: reach(submit([read("a"), read("b")]), evaluated("a", "refuse"), evaluated("b", "allow")),
    input: tick,
    to: "executing b / render_requested",
  },
  {
    from: "evaluating, all refused, more to come",
    state: reach(submit([change("a"), change("b")]), evaluated("a", "refuse")),
    input: tick,
    to: "evaluating_policy b:? / no_action",
  },
  {
    from: "evaluating, all refused, nothing more",
    state: reach(submit([change("a")]), evaluated("a", "refuse")),
    input: tick,
    to: "completed reported settled a / iteration_complete",
  },

  { from: "awaiting", state: asking, input: submit([read("z")]), to: same },
  { from: "awaiting", state: asking, input: evaluated("a", "allow"), to: same },
  {
    from: "awaiting",
    state: asking,
    input: answered("a", true),
    to: "awaiting_permission a answered / no_action",
  },
  { from: "awaiting, an answer to another call", state: asking, input: answered("b", true), to: same },
  { from: "awaiting, answered twice", state: denied, input: answered("a", true), to: same },
  { from: "awaiting", state: asking, input: finished("a"), to: same },
  { from: "awaiting", state: asking, input: cancel, to: "completed new settled a,b / no_action" },
  { from: "awaiting, not answered", state: asking, input: tick, to: same },
  { from: "awaiting, allowed", state: allowed, input: tick, to: "executing a / render_requested" },
  { from: "awaiting, denied", state: denied, input: tick, to: "evaluating_policy b:? / no_action" },
  {
    from: "awaiting, allowed, another to ask about",
    state: reach(
      submit([read("a"), read("b")]),
      evaluated("a", "ask"),
      evaluated("b", "ask"),
      tick,
      answered("a", true),
    ),
    input: tick,
    to: "awaiting_permission b open / show_permission_prompt",
  },

  { from: "executing", state: executing, input: submit([read("z")]), to: same },
  { from: "executing", state: executing, input: evaluated("c", "allow"), to: same },
  { from: "executing", state: executing, input: answered("a", false), to: same },
  { from: "executing", state: executing, input: finished("a"), to: "executing b / no_action" },
  { from: "executing, a call that does not run", state: executing, input: finished("c"), to: same },
  { from: "executing", state: executing, input: cancel, to: "executing a,b cancelled / no_action" },
  { from: "executing, calls still run", state: executing, input: tick, to: same },
  {
    from: "executing, cancelled, calls still run",
    state: transition(executing, cancel).state,
    input: tick,
    to: same,
  },
  {
    from: "executing, all finished, none left",
    state: done,
    input: tick,
    to: "completed reported settled a / iteration_complete",
  },
  {
    from: "executing, all finished, more to come",
    state: [finished("a"), finished("b")].reduce((state, input) => transition(state, input).state, executing),
    input: tick,
    to: "evaluating_policy c:? / no_action",
  },
  {
    from: "executing, cancelled, all finished",
    state: [cancel, finished("a"), finished("b")].reduce(
      (state, input) => transition(state, input).state,
      executing,
    ),
    input: tick,
    to: "completed reported settled a,b,c / iteration_complete",
  },

  { from: "completed", state: completedNew, input: submit([read("z")]), to: same },
  { from: "completed", state: completedNew, input: evaluated("a", "allow"), to: same },
  { from: "completed", state: completedNew, input: answered("a", true), to: same },
  { from: "completed", state: completedNew, input: finished("a"), to: same },
  { from: "completed", state: completedNew, input: cancel, to: same },
  {
    from: "completed, at the last iteration",
    state: completedNew,
    input: tick,
    to: "completed reported settled a / iteration_limit_reached",
  },
  { from: "completed and reported", state: completed, input: tick, to: "idle / no_action" },
];

describe("Local Harness: the executor goes idle -> evaluating_policy -> awaiting_permission -> executing -> completed", () => {
  test.each(table)("$from + $input.type: $to", ({ state, input, to }) => {
    const next = transition(state, input);
    if (to !== same) return expect(summary(next.state, next.action)).toBe(to);
    expect(next.state).toEqual(state);
    expect(next.action).toBe("no_action");
  });

  test("the table has every state with every input", () => {
    const names: readonly Name[] = [
      "idle",
      "evaluating_policy",
      "awaiting_permission",
      "executing",
      "completed",
    ];
    const inputs = ["submit", "evaluated", "answered", "finished", "cancel", "tick"];
    const rows = new Set(table.map((row) => `${row.state.name} ${row.input.type}`));
    expect(
      names.flatMap((name) => inputs.map((input) => `${name} ${input}`)).filter((row) => !rows.has(row)),
    ).toEqual([]);
  });

  test("a state is never changed, only replaced", () => {
    for (const { state, input } of table) {
      const before = structuredClone(state);
      transition(state, input);
      expect(state).toEqual(before);
    }
  });

  test.each([
    [9, 8],
    [8, 8],
    [1, 1],
    [30, 8],
  ])("%i reads next to one another make a group of %i", (count, together) => {
    const state = reach(submit(Array.from({ length: count }, (_, index) => read(`r${index}`))));
    expect(state.name === "evaluating_policy" && state.group.ids.length).toBe(together);
  });
});

/** A small linear congruential generator: the same lives each time. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Drives a batch as a session would, but with random verdicts, answers, order, noise and perhaps a cancel. */
function live(seed: number) {
  const next = randomNumbers(seed);
  const calls = Array.from({ length: next(25) }, (_, index) => ({ id: `c${index}`, readOnly: next(3) > 0 }));
  const changing = new Set(calls.filter((call) => !call.readOnly).map((call) => call.id));
  const cancelAt = next(3) === 0 ? next(60) : -1;
  let state: ExecutorState = idle;
  const apply = (input: ExecutorInput) => {
    const moved = transition(state, input);
    state = moved.state;
    return moved.action;
  };
  const ran: string[] = [];
  let action = apply(submit(calls));
  for (let step = 0; step < 2_000; step += 1) {
    if (step === cancelAt) apply(cancel);
    if (next(4) === 0) {
      apply(
        [finished("c3"), answered("c2", true), evaluated("c1", "refuse"), submit([read("x")])][next(4)] ??
          tick,
      );
    }
    if (state.name === "evaluating_policy") {
      const open = state.group.ids.filter(
        (id) => state.name === "evaluating_policy" && !state.group.verdicts.has(id),
      );
      const id = open[next(open.length)];
      if (id !== undefined) apply(evaluated(id, (["allow", "ask", "refuse"] as const)[next(3)] ?? "allow"));
    }
    if (state.name === "awaiting_permission") apply(answered(state.asking, next(2) === 0));
    if (state.name === "executing") {
      const running = [...state.running];
      const id = running[next(running.length)];
      if (id !== undefined) apply(finished(id));
    }
    action = apply(tick);
    if (action === "render_requested" && state.name === "executing") {
      const running = [...state.running];
      expect(running.length).toBeLessThanOrEqual(8);
      if (running.some((id) => changing.has(id))) expect(running).toHaveLength(1);
      ran.push(...running);
    }
    if (action === "iteration_complete") return { calls, ran, state, steps: step };
  }
  throw new Error(`the batch of seed ${seed} did not end`);
}

describe("the executor under random inputs", () => {
  test("every batch ends, every call is settled once, what changes something runs alone, at most 8 reads side by side", () => {
    for (let seed = 1; seed <= 1_000; seed += 1) {
      const { calls, ran, state } = live(seed);
      expect(state.name === "completed" && [...state.batch.settled].sort()).toEqual(
        calls.map((call) => call.id).sort(),
      );
      expect(new Set(ran).size).toBe(ran.length);
      expect(transition(state, tick).state).toEqual(idle);
    }
  });

  test("cancel ends a batch from every state, and nothing new starts after it", () => {
    const lives: readonly (readonly ExecutorInput[])[] = [
      [],
      [submit([change("a"), change("b")])],
      [submit([change("a"), change("b")]), evaluated("a", "ask"), tick],
      [submit([change("a"), change("b")]), evaluated("a", "ask"), tick, answered("a", true)],
      [submit([change("a"), change("b")]), evaluated("a", "allow"), tick],
      [submit([change("a"), change("b")]), evaluated("a", "allow"), tick, finished("a")],
      [submit([change("a")]), evaluated("a", "refuse"), tick],
    ];
    for (const inputs of lives) {
      let state = transition(reach(...inputs), cancel).state;
      const actions: string[] = [];
      if (state.name === "executing") {
        state = [...state.running].reduce(
          (at, id) => transition(at, finished(id)).state,
          state as ExecutorState,
        );
      }
      for (let ticks = 0; ticks < 5 && state.name !== "idle"; ticks += 1) {
        const moved = transition(state, tick);
        actions.push(moved.action);
        state = moved.state;
      }
      expect(state).toEqual(idle);
      expect(actions).not.toContain("render_requested");
      expect(actions).not.toContain("show_permission_prompt");
    }
  });
});
