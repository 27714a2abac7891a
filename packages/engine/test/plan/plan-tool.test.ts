/** A plan that the model presents in mode `plan`: who can approve it, what the model is told, and what stays as it was. */
import { createRegistry } from "@localharness/engine";
import type { Command, PermissionMode, SessionEvent } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { makeTool } from "../make-tool.ts";
import { memoryPolicyStore } from "../memory-policy-store.ts";
import { expectSound, type Opened, type Opening, openSession, runTurn } from "../open-session.ts";
import { call, callEvents, say } from "../scripted-model.ts";

const change = makeTool({ name: "change", readOnly: false, editsFiles: true, risk: "high" });
const plan = "1. Change `a`.\n2. Look at it.";
const present = call(["present_plan", { plan }]);

type Answer = Omit<Extract<Command, { type: "permission-answer" }>, "type" | "requestId">;

/** Opens a session in mode `plan` whose questions get these answers, in order. */
function planning({ given = [], ...more }: Partial<Opening> & { given?: readonly Answer[] } = {}): Opened {
  const opened = openSession({
    steps: [present, say("done")],
    tools: [makeTool(), change],
    mode: "plan",
    plans: true,
    ...more,
  });
  const left = [...given];
  opened.session.subscribe((event) => {
    const answer = event.type === "permission-request" ? left.shift() : undefined;
    if (event.type !== "permission-request" || answer === undefined) return;
    opened.session.send({ type: "permission-answer", requestId: event.request.requestId, ...answer });
  });
  return opened;
}

const outcomes = ({ results }: Opened) =>
  results().map(({ tool, result }) => [tool, result.success ? result.data : result.error_message]);

const notes = ({ of }: Opened) =>
  of("user-message").flatMap(({ from, content }) => (from === "harness" ? [content.split(":")[0]] : []));

describe("a plan in mode plan", () => {
  test.each<PermissionMode>(["default", "accept-edits", "auto"])(
    "approved in mode %s goes on with the same turn in that mode",
    async (mode) => {
      const opened = planning({
        steps: [present, call(["change"]), say("done")],
        given: [{ answer: "once", mode }, { answer: "once" }],
      });
      expect(await runTurn(opened)).toMatchObject({ reason: "done", denied: 0 });
      expect(opened.session.mode()).toBe(mode);
      expect(opened.of("turn-start")).toHaveLength(1);
      expect(opened.of("mode-changed").map((event) => event.mode)).toEqual([mode]);
      expect(opened.of("permission-request")[0]?.request.plan).toEqual({
        modes: ["default", "accept-edits", "auto"],
      });
      expect(opened.of("permission-request")).toHaveLength(mode === "default" ? 2 : 1);
      expect(outcomes(opened)).toMatchObject([
        ["present_plan", expect.stringContaining(`The mode is now ${mode}`)],
        ["change", "looked at {}"],
      ]);
    },
  );

  test("edited by the person reaches the model as it was edited", async () => {
    const opened = planning({ given: [{ answer: "once", mode: "default", plan: "Only look." }] });
    await runTurn(opened);
    expect(outcomes(opened)[0]?.[1]).toMatch(/^The person approved the plan\.[\s\S]*\n\nOnly look\.$/);
    expect(opened.of("permission-answer")[0]).toMatchObject({ mode: "default", plan: "Only look." });
  });

  test("refused with a note stays a plan, and a better one can be presented", async () => {
    const opened = planning({
      steps: [present, call(["present_plan", { plan: "Better." }]), say("done")],
      given: [
        { answer: "deny", note: "not in a", mode: "default" },
        { answer: "once", mode: "default" },
      ],
    });
    await runTurn(opened);
    expect(outcomes(opened)[0]?.[1]).toMatch(/^the person refused the plan and says: not in a\. Mode plan/);
    expect(opened.of("permission-answer")[0]).not.toHaveProperty("mode");
    expect(opened.of("mode-changed")).toHaveLength(1);
  });

  test.each<readonly [string, Answer]>([
    ["without a mode", { answer: "once" }],
    ["for the session, without a mode", { answer: "session" }],
    ["in mode bypass", { answer: "once", mode: "bypass" }],
    ["in mode plan", { answer: "once", mode: "plan" }],
  ])("is not approved by an answer %s: the turn ends with it", async (_how, given) => {
    const opened = planning({ given: [given], steps: [present, call(["change"])] });
    expect(await runTurn(opened)).toMatchObject({ reason: "done", plan, denied: 0 });
    expect(opened.session.mode()).toBe("plan");
    expect(opened.of("permission-answer")).toMatchObject([{ answer: "deny", by: "nobody" }]);
    expect(opened.model.requests).toHaveLength(1);
  });

  test("is the answer where nobody can be asked", async () => {
    const opened = planning({ interactive: false });
    expect(await runTurn(opened)).toMatchObject({ reason: "done", plan, denied: 0 });
    expect(opened.session.mode()).toBe("plan");
  });

  test("is the answer where nobody can be asked, also before so many calls that they run in two batches", async () => {
    const looks = Array.from({ length: 20 }, (_, at): [string, { path: string }] => [
      "look",
      { path: `${at}` },
    ]);
    const opened = planning({
      steps: [call(["present_plan", { plan }], ...looks), say("done")],
      interactive: false,
    });
    expect(await runTurn(opened)).toMatchObject({ reason: "done", plan });
    expect(opened.model.requests).toHaveLength(1);
  });

  test("is the answer once nobody answers any more", async () => {
    const opened = planning();
    const turn = runTurn(opened);
    await opened.next("permission-request");
    opened.session.leaveUnanswered();
    expect(await turn).toMatchObject({ reason: "done", plan });
  });

  test("is closed by an interrupt, and the mode stays", async () => {
    const opened = planning({ when: { "permission-request": { type: "interrupt" } } });
    expect(await runTurn(opened)).toMatchObject({ reason: "interrupted" });
    expect(opened.session.mode()).toBe("plan");
    expect(opened.results()).toMatchObject([{ result: { error_type: "cancelled" } }]);
  });

  test("is asked about whatever the person has allowed, and no answer is remembered", async () => {
    const store = memoryPolicyStore([
      { id: "all", decision: "allow", justification: "all", tool: "present_plan" },
    ]);
    const opened = planning({
      steps: [present, say("one"), call(["present_plan", { plan }], ["change"]), say("two")],
      given: [{ answer: "remember", mode: "default" }, { answer: "deny" }, { answer: "deny" }],
      policyStore: store,
    });
    await runTurn(opened);
    opened.session.send({ type: "set-mode", mode: "plan" });
    await runTurn(opened);
    expect(opened.of("permission-request").map(({ request }) => request.toolName)).toEqual([
      "present_plan",
      "present_plan",
    ]);
    expect((await store.load()).rules).toHaveLength(1);
    // The change of the same answer is denied by the mode, because the plan was refused.
    expect(outcomes(opened)[2]?.[1]).toMatch(/^denied by the rule mode:plan/);
  });

  test("does not change the mode when the mode was changed while the question was open", async () => {
    const opened = planning({
      when: { "permission-request": { type: "set-mode", mode: "accept-edits" } },
      given: [{ answer: "once", mode: "default" }],
    });
    await runTurn(opened);
    expect(opened.session.mode()).toBe("accept-edits");
    expect(outcomes(opened)[0]?.[1]).toMatch(/^the mode is accept-edits/);
  });

  test("leaves the calls before it denied and the calls after it to the new mode", async () => {
    const opened = planning({
      steps: [
        call(["change", { path: "a" }], ["present_plan", { plan }], ["change", { path: "b" }]),
        say("ok"),
      ],
      given: [{ answer: "once", mode: "accept-edits" }],
    });
    await runTurn(opened);
    expect(opened.results().map(({ result }) => result.success)).toEqual([false, true, true]);
  });
});

describe("in another mode", () => {
  test.each<PermissionMode>(["default", "accept-edits", "auto", "bypass"])(
    "%s a plan is not asked about, and the model is told to work",
    async (mode) => {
      const opened = planning({ mode });
      await runTurn(opened);
      expect(opened.of("permission-request")).toEqual([]);
      expect(outcomes(opened)).toEqual([["present_plan", expect.stringMatching(`^the mode is ${mode}, `)]]);
    },
  );
});

describe("the prompt", () => {
  test("keeps its bytes over every change of the mode", async () => {
    const opened = planning({
      mode: "default",
      steps: [say("one"), present, say("two"), say("three"), say("four")],
      given: [{ answer: "once", mode: "default" }],
    });
    await runTurn(opened);
    opened.session.send({ type: "set-mode", mode: "plan" });
    await runTurn(opened);
    opened.session.send({ type: "set-mode", mode: "plan" });
    await runTurn(opened);
    opened.session.send({ type: "set-mode", mode: "default" });
    await runTurn(opened);
    const { requests } = opened.model;
    expect(new Set(requests.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
    expect(requests[0]?.tools.map(({ name }) => name)).toEqual(["look", "change", "present_plan"]);
    // An approved plan tells the model by its result.
    expect(notes(opened)).toEqual(["Mode plan is on", "Mode plan is on", "Mode plan is off"]);
  });

  test("tells a change of the mode within a turn before the next answer", async () => {
    const opened = planning({
      mode: "default",
      steps: [call(["look"]), say("ok")],
      when: { "tool-result": { type: "set-mode", mode: "plan" } },
    });
    await runTurn(opened);
    expect(notes(opened)).toEqual(["Mode plan is on"]);
    expect(opened.model.requests[1]?.messages.at(-1)?.content).toMatch(/^Mode plan is on/);
  });

  test("of a session without plans has neither the tool nor a note", async () => {
    const opened = planning({ plans: false, steps: [say("ok")] });
    await runTurn(opened);
    expect(opened.model.requests[0]?.tools.map(({ name }) => name)).toEqual(["look", "change"]);
    expect(notes(opened)).toEqual([]);
  });

  test("keeps the tool when other tools are chosen", async () => {
    const opened = planning({ steps: [say("one"), say("two")] });
    await runTurn(opened);
    opened.session.useTools(createRegistry([makeTool()]));
    await runTurn(opened);
    expect(opened.model.requests[1]?.tools.map(({ name }) => name)).toEqual(["look", "present_plan"]);
  });
});

describe("a session that is taken up", () => {
  async function taken(history: readonly SessionEvent[], mode: PermissionMode): Promise<Opened> {
    const opened = planning({ sessionId: "s", history, mode, steps: [say("ok")] });
    await opened.session.prompt("go on");
    return opened;
  }

  test("at an open plan has the question denied by nobody, and its mode is the one it is opened with", async () => {
    const first = planning({ sessionId: "s" });
    const turn = first.session.prompt("go");
    await first.next("permission-request");
    const history = [...first.events];
    await first.session.close();
    await turn;
    const again = planning({ sessionId: "s", history, steps: [say("ok")] });
    await runTurnOn(again);
    const closed = again.session.view();
    expect(closed.permission).toBeUndefined();
    expect(closed.messages.filter(({ role }) => role === "tool")).toHaveLength(1);
    expect(again.session.mode()).toBe("plan");
    // The model was told before, in the part that was taken up.
    expect(notes(again)).toEqual([]);
  });

  test.each<readonly [PermissionMode, readonly string[]]>([
    ["plan", []],
    ["default", ["Mode plan is off"]],
  ])("in mode %s tells the model what has changed", async (mode, told) => {
    const first = planning({ sessionId: "s", steps: [say("a plan in words")] });
    await runTurn(first);
    expect(notes(await taken(first.events, mode))).toEqual(told);
  });

  test("after an approved plan tells nothing in another mode", async () => {
    const first = planning({ sessionId: "s", given: [{ answer: "once", mode: "default" }] });
    await runTurn(first);
    expect(notes(await taken(first.events, "default"))).toEqual([]);
  });
});

async function runTurnOn(opened: Opened): Promise<void> {
  await opened.session.prompt("go on");
}

test("an empty plan is an error for the model", async () => {
  const opened = planning({ steps: [call(["present_plan", { plan: " " }]), say("ok")] });
  await runTurn(opened);
  expect(opened.results()).toMatchObject([{ result: { error_type: "validation_failed" } }]);
  expectSound(opened);
});

test("two plans in one answer are asked about one after the other, in the mode of that time", async () => {
  const events = [
    ...callEvents(["present_plan", { plan: "a" }, "a"], 0),
    ...callEvents(["present_plan", { plan: "b" }, "b"], 1),
  ];
  const opened = planning({
    steps: [[...events, { type: "model-end", stopReason: "tool-calls" }], say("ok")],
    given: [{ answer: "once", mode: "default" }],
  });
  await runTurn(opened);
  expect(outcomes(opened)[1]?.[1]).toMatch(/^the mode is default/);
});
