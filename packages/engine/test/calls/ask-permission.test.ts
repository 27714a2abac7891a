/** Permission in a session: who is asked, what an answer covers, and what happens without an answer. */
import type { PersonsAnswer, PolicyRule, Tool } from "@localharness/engine";
import type { PermissionAnswer, PermissionMode } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { makeTool } from "../make-tool.ts";
import { memoryPolicyStore } from "../memory-policy-store.ts";
import { expectSound, openSession, runTurn } from "../open-session.ts";
import { call, say } from "../scripted-model.ts";
import { denied, session, shown, write, written } from "../write-session.ts";

describe("ZodoLlama: the answers allow once, session, remember, deny", () => {
  test.each<readonly [string, Tool["risk"], readonly PermissionAnswer[], readonly string[], number]>([
    ["once allows one call", "high", ["once", "once"], ["none", "none"], 2],
    ["once, then deny", "high", ["once", "deny"], ["none", denied], 2],
    ["session allows the rest of the session", "high", ["session"], ["none", "none"], 1],
    ["remember allows the rest of the session", "high", ["remember"], ["none", "none"], 1],
    ["deny denies one call", "high", ["deny", "once"], [denied, "none"], 2],
    ["medium asks each time", "medium", ["once", "once"], ["none", "none"], 2],
    ["low asks once a session", "low", ["once"], ["none", "none"], 1],
    ["a denied low asks again", "low", ["deny", "once"], [denied, "none"], 2],
    ["safe asks never", "safe", [], ["none", "none"], 0],
  ])("%s", async (_title, risk, answers, types, prompts) => {
    const opened = session({ tool: write({ risk }), answers, policyStore: memoryPolicyStore() });
    const end = await runTurn(opened);
    expect(shown(opened)).toEqual(types);
    expect(opened.of("permission-request")).toHaveLength(prompts);
    expect(opened.of("permission-answer").map((event) => `${event.answer} by ${event.by}`)).toEqual(
      answers.map((answer) => `${answer} by person`),
    );
    expect(end.denied).toBe(types.filter((type) => type === denied).length);
    expect(opened.of("tool-start")).toHaveLength(types.filter((type) => type === "none").length);
  });

  test("a prompt shows the call, its risk, the rule, what an answer covers and the change", async () => {
    const tool = write({
      preview: async (args) => `+${args["path"]}`,
      grantScope: (args) => `write ${args["path"]}`,
    });
    const opened = session({ tool, answers: ["deny", "deny"] });
    await runTurn(opened);
    const [event] = opened.of("permission-request");
    expect(event?.request).toEqual({
      requestId: expect.stringMatching(new RegExp(`^permission-${opened.session.id}-[0-9a-f]{32}$`)),
      callId: opened.of("tool-call-end")[0]?.id,
      toolName: "write",
      format: "native",
      arguments: { path: "a" },
      // sha256sum of {"path":"a"}
      argumentsHash: "fde64ffe7a4a0bbd5d2fe2c294b795808c14bcb57a1d08f1c9dcd59871a020f4",
      concerns: [],
      risk: "high",
      rule: "risk:high",
      grade: "lasting",
      reason: expect.stringMatching(/look at the arguments/),
      covers: "exactly this: write a",
      preview: "+a",
    });
    expect(opened.results()[0]?.result.error_message).toMatch(
      /^the person denied this call\. Do not try it again/,
    );
  });

  test.each<readonly [string, NonNullable<Tool["preview"]>]>([
    ["rejects", () => Promise.reject(new Error("no"))],
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["has nothing to show", async () => undefined],
  ])("a preview that %s leaves the prompt without one", async (_title, preview) => {
    const opened = session({ tool: write({ preview }), answers: ["once", "once"] });
    await runTurn(opened);
    expect(opened.of("permission-request").map((event) => "preview" in event.request)).toEqual([
      false,
      false,
    ]);
    expect(shown(opened)).toEqual(["none", "none"]);
  });

  test("remembered in one session, it holds in the next", async () => {
    const policyStore = memoryPolicyStore();
    await runTurn(session({ answers: ["remember"], policyStore }));
    const next = session({ policyStore });
    await runTurn(next);
    expect(next.of("permission-request")).toEqual([]);
    expect(shown(next)).toEqual(["none", "none"]);
  });

  test("what cannot be remembered holds for the session, with a warning", async () => {
    const opened = session({
      answers: ["remember"],
      policyStore: memoryPolicyStore([], { add: "disk full" }),
    });
    await runTurn(opened);
    expect(shown(opened)).toEqual(["none", "none"]);
    expect(opened.of("notice")).toMatchObject([
      { code: "not-remembered", message: "the answer holds for this session only: disk full" },
    ]);
  });

  test("a store that cannot be read allows nothing, with a warning", async () => {
    const opened = session({
      answers: ["deny", "deny"],
      policyStore: memoryPolicyStore([], { load: "torn" }),
    });
    await runTurn(opened);
    expect(shown(opened)).toEqual([denied, denied]);
    expect(opened.notices()).toEqual(["policies"]);
  });

  test("two low calls side by side are one prompt when the first answer covers both", async () => {
    const tool = makeTool({ name: "grep", risk: "low" });
    const opened = openSession({
      steps: [call(["grep", { path: "a" }], ["grep", { path: "b" }]), say("ok")],
      tools: [tool],
      answers: ["once"],
    });
    await runTurn(opened);
    expect(opened.of("permission-request")).toHaveLength(1);
    expect(shown(opened)).toEqual(["none", "none"]);
  });

  test("an answer covers exactly what its scope says", async () => {
    const tool = write({ grantScope: (args) => `${args["path"]}` });
    const opened = session({
      tool,
      steps: [written("a"), written("a"), written("b"), say("ok")],
      answers: ["session", "deny"],
    });
    await runTurn(opened);
    expect(shown(opened)).toEqual(["none", "none", denied]);
  });
});

describe("without anyone to ask", () => {
  test("an ask is a deny, and the result says so", async () => {
    const opened = session({ interactive: false, answers: ["once", "once"] });
    expect((await runTurn(opened)).denied).toBe(2);
    expect(opened.of("permission-answer").map((event) => `${event.answer} by ${event.by}`)).toEqual([
      "deny by nobody",
      "deny by nobody",
    ]);
    expect(opened.results()[0]?.result.error_message).toMatch(
      /^nobody could be asked: this call needs permission \(.*\)\. Go on without it, and tell the person to allow it with --allow,/,
    );
    expect(opened.of("tool-start")).toEqual([]);
  });

  test("any more, what is open and what is asked later is denied by nobody", async () => {
    const opened = session({});
    const turn = runTurn(opened);
    const { request } = await opened.next("permission-request");
    opened.session.leaveUnanswered();
    opened.session.send({ type: "permission-answer", requestId: request.requestId, answer: "once" });
    expect((await turn).denied).toBe(2);
    expect(opened.of("permission-answer").map((event) => `${event.answer} by ${event.by}`)).toEqual([
      "deny by nobody",
      "deny by nobody",
    ]);
    expect(opened.results()[1]?.result.error_message).toMatch(/^nobody could be asked: /);
    expect(opened.of("tool-start")).toEqual([]);
  });

  test("what a rule allows runs", async () => {
    const rules: PolicyRule[] = [{ id: "r", decision: "allow", justification: "trusted", tool: "write" }];
    const opened = session({ interactive: false, policyStore: memoryPolicyStore(rules) });
    await runTurn(opened);
    expect(shown(opened)).toEqual(["none", "none"]);
  });
});

describe("rules and modes", () => {
  test("a rule denies without asking; the model is told which", async () => {
    const rules: PolicyRule[] = [
      { id: "no-writes", decision: "deny", justification: "read-only checkout", tool: "write" },
    ];
    const opened = session({ policyStore: memoryPolicyStore(rules), mode: "bypass" });
    expect((await runTurn(opened)).denied).toBe(2);
    expect(opened.results()[0]?.result.error_message).toMatch(
      /^denied by the rule no-writes: read-only checkout\./,
    );
    expect(opened.of("permission-request")).toEqual([]);
  });

  test.each<readonly [PermissionMode, boolean, readonly string[], number]>([
    ["default", true, ["none", "none"], 2],
    ["plan", true, [denied, denied], 0],
    ["accept-edits", true, ["none", "none"], 0],
    ["accept-edits", false, ["none", "none"], 2],
    ["bypass", false, ["none", "none"], 0],
  ])("mode %s, the tool edits files: %s", async (mode, editsFiles, types, prompts) => {
    const opened = session({ tool: write({ editsFiles }), mode, answers: ["once", "once"] });
    await runTurn(opened);
    expect(shown(opened)).toEqual(types);
    expect(opened.of("permission-request")).toHaveLength(prompts);
  });

  test("reads go on in plan", async () => {
    const opened = openSession({ steps: [call(["look"]), say("ok")], mode: "plan" });
    await runTurn(opened);
    expect(shown(opened)).toEqual(["none"]);
  });

  test("a mode set before the session starts is the one it starts with", async () => {
    const opened = session({});
    opened.session.send({ type: "set-mode", mode: "bypass" });
    await runTurn(opened);
    expect(opened.of("session-start")[0]?.mode).toBe("bypass");
    expect(opened.of("mode-changed")).toEqual([]);
    expect(shown(opened)).toEqual(["none", "none"]);
  });

  test.each<readonly [PermissionMode, PermissionMode, readonly string[]]>([
    ["bypass", "plan", ["none", denied]],
    ["plan", "bypass", [denied, "none"]],
  ])(
    "a change from %s to %s holds from the next call on, also of the same answer",
    async (mode, next, types) => {
      const opened = session({
        mode,
        steps: [call(["write", { path: "a" }], ["write", { path: "b" }]), say("ok")],
        when: { "tool-result": { type: "set-mode", mode: next } },
      } as Parameters<typeof session>[0]);
      await runTurn(opened);
      expect(shown(opened)).toEqual(types);
      expect(opened.session.view().mode).toBe(next);
    },
  );

  test("a mode that denies a call on its way to the prompt denies it without one", async () => {
    const opened = session({ steps: [written("a"), say("ok")] });
    opened.session.subscribe((event) => {
      if (event.type === "executor-state" && event.state === "awaiting_permission") {
        opened.session.send({ type: "set-mode", mode: "plan" });
      }
    });
    expect((await runTurn(opened)).denied).toBe(1);
    expect(opened.of("permission-request")).toEqual([]);
    expect(opened.results()[0]?.result.error_message).toMatch(/^denied by the rule mode:plan/);
  });

  test("a call that waits behind another prompt is judged by the mode of then", async () => {
    const grep = makeTool({ name: "grep", risk: "medium" });
    const opened = openSession({
      steps: [call(["grep", { path: "a" }], ["grep", { path: "b" }]), say("ok")],
      tools: [grep],
      answers: ["once"],
      when: { "permission-answer": { type: "set-mode", mode: "bypass" } },
    });
    await runTurn(opened);
    expect(opened.of("permission-request")).toHaveLength(1);
    expect(shown(opened)).toEqual(["none", "none"]);
  });
});

describe("answers that are none", () => {
  const open = async () => {
    const opened = session({ steps: [written("a"), say("ok")] });
    const turn = opened.session.prompt("go");
    const { request } = await opened.next("permission-request");
    const answer = (value: unknown, requestId = request.requestId) =>
      opened.session.send({ type: "permission-answer", requestId, answer: value as PermissionAnswer });
    return { opened, turn, answer };
  };

  test("an answer to what is not asked does nothing", async () => {
    const { opened, turn, answer } = await open();
    for (const id of ["permission-other", "", "__proto__", "constructor"]) answer("once", id);
    expect(opened.of("permission-answer")).toEqual([]);
    expect(opened.session.view().permission).toBeDefined();
    answer("deny");
    await turn;
    expectSound(opened);
    expect(shown(opened)).toEqual([denied]);
  });

  test("of two answers the first counts", async () => {
    const { opened, turn, answer } = await open();
    answer("deny");
    answer("remember");
    await turn;
    answer("session");
    expectSound(opened);
    expect(shown(opened)).toEqual([denied]);
    expect(opened.of("permission-answer").map((event) => event.answer)).toEqual(["deny"]);
  });

  test.each(["yes", "", "allow", undefined, null, true, 1])("%j is a deny", async (value) => {
    const { opened, turn, answer } = await open();
    answer(value);
    await turn;
    expectSound(opened);
    expect(shown(opened)).toEqual([denied]);
    expect(opened.of("tool-start")).toEqual([]);
  });
});

test("a tool's own permission error is no denial", async () => {
  const tool = write({
    risk: "safe",
    execute: async () => ({ ok: false, errorType: denied, message: "EACCES" }),
  });
  expect((await runTurn(session({ tool }))).denied).toBe(0);
});

describe("the wider scope of an answer", () => {
  const facts = { scope: "x", wider: { scope: "any", covers: "any x ...", begins: "x" } };
  const asking = (more: Partial<Tool>) =>
    write({ examine: ({ path }) => ({ ...facts, scope: String(path) }), ...more });

  test("is in the request, and holds for the next call if the person chooses it", async () => {
    const opened = session({ tool: asking({}), answers: [{ answer: "session", wider: true }] });
    await runTurn(opened);
    const [request, ...others] = opened.of("permission-request");
    expect(request?.request.wider).toEqual({ covers: "any x ...", begins: "x" });
    expect(others).toEqual([]);
    expect(opened.of("permission-answer")).toMatchObject([{ answer: "session", wider: true, by: "person" }]);
    expect(shown(opened)).toEqual(["none", "none"]);
  });

  test.each<[string, Partial<Tool>, PersonsAnswer]>([
    ["that is not offered", { examine: () => ({}) }, { answer: "session", wider: true }],
    ["of an answer for one call", {}, { answer: "once", wider: true }],
  ])("%s is a denial", async (_title, more, answer) => {
    const opened = session({ tool: asking(more), answers: [answer, answer] });
    await runTurn(opened);
    expect(shown(opened)).toEqual([denied, denied]);
  });
});
