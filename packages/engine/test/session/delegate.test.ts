/** The task of an agent: what it shares with the session, and what it cannot do. */
import type { DelegatedWork, Tool } from "@localharness/engine";
import type { ModelEvent, PermissionMode } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { done, makeTool } from "../make-tool.ts";
import { memoryAuditLog } from "../memory-audit-log.ts";
import { openSession, runTurn } from "../open-session.ts";
import { call, type Step, say, scriptedModel } from "../scripted-model.ts";

/** A tool that has its task done by an agent whose model takes these steps. */
function delegating(steps: readonly Step[], more: Partial<DelegatedWork> = {}, tool: Partial<Tool> = {}) {
  const model = scriptedModel(steps);
  const handOver = makeTool({
    name: "hand_over",
    ...tool,
    async execute(args, context) {
      const work = {
        agent: "helper",
        task: `do ${JSON.stringify(args)}`,
        systemPrompt: "Help.",
        model,
        ...more,
      };
      const end = await context.delegate?.(work);
      return done(end === undefined ? "nobody to hand over to" : `${end.end.reason}: ${end.answer}`);
    },
  });
  return { model, handOver };
}

const risky = makeTool({ name: "change", risk: "medium", readOnly: false });

test("it knows its prompt and its task alone, and the session only its report", async () => {
  const { handOver, model } = delegating([call(["look", { path: "a" }]), say("seen")]);
  const opened = openSession({
    steps: [call(["hand_over", { path: "x" }]), say("well")],
    tools: [handOver, makeTool()],
  });
  await runTurn(opened);
  expect(opened.results()).toMatchObject([{ tool: "hand_over", result: { data: "done: seen" } }]);
  expect(model.requests[0]?.messages).toEqual([
    { role: "system", content: "Help." },
    { role: "user", content: 'do {"path":"x"}', from: "person" },
  ]);
  expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(["look"]);
  expect(opened.of("tool-progress")).toMatchObject([{ agent: "helper", text: '→ look {"path":"a"}' }]);
  expect(JSON.stringify(opened.session.view().messages)).not.toContain("looked at");
});

test("the session hears what each model call of it took, and counts it apart from its own", async () => {
  const usage: ModelEvent = { type: "usage", inputTokens: 70, outputTokens: 5, contextWindow: 4_096 };
  const { handOver } = delegating([
    [usage, ...call(["look"])],
    [{ type: "model-error", code: "server-error", message: "gone", retryable: false }],
  ]);
  const opened = openSession({ steps: [call(["hand_over"]), say("well")], tools: [handOver, makeTool()] });
  await runTurn(opened);
  const { id: callId } = opened.of("tool-call-end")[0] ?? {};
  const like = { callId, agent: "helper", model: "scripted", durationMs: expect.any(Number) };
  expect(opened.of("agent-usage")).toEqual([
    expect.objectContaining({ ...like, inputTokens: 70, outputTokens: 5 }),
    expect.objectContaining(like),
  ]);
  expect(opened.of("agent-usage")[1]).not.toHaveProperty("inputTokens");
  expect(opened.session.view().usage).toEqual({ inputTokens: 0, outputTokens: 0 });
});

test.each<[string, Partial<DelegatedWork>, string[]]>([
  ["without a list those that only read", {}, ["look"]],
  ["of a list those that the session has", { tools: ["change", "fly"] }, ["change"]],
  ["never the one that hands over", { tools: ["hand_over", "look"] }, ["look"]],
])("its tools are: %s", async (_what, more, names) => {
  const { handOver, model } = delegating([say("ok")], more);
  await runTurn(
    openSession({ steps: [call(["hand_over"]), say("well")], tools: [handOver, makeTool(), risky] }),
  );
  expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(names);
});

test("it cannot have others do its task", async () => {
  const inner = delegating([say("never")], {}, { name: "inner" });
  const { handOver } = delegating([call(["inner"]), say("ok")], { tools: ["inner"] });
  const opened = openSession({
    steps: [call(["hand_over"]), say("well")],
    tools: [handOver, inner.handOver],
  });
  await runTurn(opened);
  expect(inner.model.requests).toEqual([]);
});

describe("its mode", () => {
  const rows: [session: PermissionMode, own: PermissionMode | undefined, ran: boolean][] = [
    ["bypass", undefined, true],
    ["bypass", "plan", false],
    ["bypass", "default", false],
    ["default", "bypass", false],
    ["plan", "bypass", false],
  ];
  test.each(rows)("in a session in mode %s with %s of its own: changes run %s", async (mode, own, ran) => {
    let changed = false;
    const change = makeTool({
      ...risky,
      execute: () => {
        changed = true;
        return Promise.resolve(done("changed"));
      },
    });
    const more = { tools: ["change"], ...(own === undefined ? {} : { mode: own }) };
    const { handOver } = delegating([call(["change"]), say("ok")], more);
    const tools = [handOver, change];
    const opened = openSession({
      steps: [call(["hand_over"]), say("well")],
      tools,
      mode,
      interactive: false,
    });
    const end = await runTurn(opened);
    expect(changed).toBe(ran);
    // What was denied there was denied in the turn.
    expect(end.denied).toBe(ran ? 0 : 1);
  });
});

test("its questions are asked by the session, with its name, and a session's answer holds for both", async () => {
  const audit = memoryAuditLog();
  const { handOver } = delegating([call(["change"]), call(["change", { path: "2" }]), say("ok")], {
    tools: ["change"],
  });
  const opened = openSession({
    steps: [call(["hand_over"]), call(["change", { path: "3" }]), say("well")],
    tools: [handOver, risky],
    answers: ["session"],
    audit,
  });
  await runTurn(opened);
  expect(opened.of("permission-request").map(({ request }) => [request.agent, request.toolName])).toEqual([
    ["helper", "change"],
  ]);
  const calls = audit.entries.filter((entry) => entry.type === "call");
  expect(calls.map(({ tool, agent }) => [tool, agent])).toEqual([
    ["hand_over", undefined],
    ["change", "helper"],
    ["change", "helper"],
    ["change", undefined],
  ]);
  // One id for one call in the whole session.
  expect(new Set(calls.map((one) => one.call)).size).toBe(4);
});

test("runs of hooks stand between its call and its result in the record", async () => {
  const audit = memoryAuditLog();
  const looked = () => Promise.resolve({ ran: [{ hook: "h", outcome: "passed", ms: 1 } as const] });
  const { handOver } = delegating([call(["change"]), say("ok")], { tools: ["change"] });
  const opened = openSession({
    steps: [call(["hand_over"]), say("well")],
    tools: [handOver, risky],
    mode: "bypass",
    audit,
    hooks: { beforeTool: looked, afterTool: looked, turnEnd: () => Promise.resolve({}) },
  });
  await runTurn(opened);
  const its = audit.entries.find((entry) => entry.type === "call" && entry.agent === "helper")?.call;
  expect(audit.entries.filter((entry) => entry.call === its).map(({ type }) => type)).toEqual([
    "call",
    "hook",
    "hook",
    "result",
  ]);
});

test("two that work side by side ask one after another", async () => {
  const asks = makeTool({ name: "peek", risk: "medium" });
  const first = delegating([call(["peek", { path: "1" }]), say("one")], { agent: "a" }, { name: "first" });
  const second = delegating([call(["peek", { path: "2" }]), say("two")], { agent: "b" }, { name: "second" });
  const tools = [first.handOver, second.handOver, asks];
  const opened = openSession({ steps: [call(["first"], ["second"]), say("well")], tools });
  const running = opened.session.prompt("go");
  for (const answer of ["once", "deny"] as const) {
    const { request } = await opened.next("permission-request");
    // Time enough for the other one to ask as well.
    for (let turns = 0; turns < 100; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(opened.session.view().permission?.requestId).toBe(request.requestId);
    opened.session.send({ type: "permission-answer", requestId: request.requestId, answer });
  }
  expect(await running).toMatchObject({ reason: "done", denied: 1 });
  expect(opened.results().map(({ result }) => result.data)).toEqual(["done: one", "done: two"]);
});

test("an interrupt ends it", async () => {
  const stuck: Step = async function* (_request, signal) {
    yield { type: "text-delta", text: "half" };
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    yield { type: "model-error", code: "aborted", message: "", retryable: false };
  };
  const { handOver } = delegating([stuck]);
  const opened = openSession({
    steps: [call(["hand_over"]), say("not reached")],
    tools: [handOver, makeTool()],
    when: { "tool-start": { type: "interrupt" } },
  });
  expect(await runTurn(opened)).toMatchObject({ reason: "interrupted" });
  expect(opened.results()).toMatchObject([{ tool: "hand_over" }]);
});

test("its limit of iterations is its own", async () => {
  const looks = Array.from({ length: 5 }, (_, index) => call(["look", { path: String(index) }]));
  const { handOver, model } = delegating(looks, { maxIterations: 2 });
  const opened = openSession({ steps: [call(["hand_over"]), say("well")], tools: [handOver, makeTool()] });
  expect(await runTurn(opened)).toMatchObject({ reason: "done" });
  expect(model.requests).toHaveLength(2);
  expect(opened.results()[0]?.result.data).toMatch(/^iteration-limit/);
});

test("it ends after its own iterations without progress", async () => {
  const looks = Array.from({ length: 9 }, (_, index) => call(["look", { path: String(index) }]));
  const { handOver, model } = delegating(looks);
  const opened = openSession({
    steps: [call(["hand_over"]), say("well")],
    tools: [handOver, makeTool({ execute: async () => ({ ok: true, data: "the same" }) })],
    limits: { iterationsWithoutProgress: 3 },
  });
  expect(await runTurn(opened)).toMatchObject({ reason: "done" });
  expect(model.requests).toHaveLength(4);
  expect(opened.results()[0]?.result.data).toMatch(/^iteration-limit/);
});
