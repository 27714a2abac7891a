/** The grants that answers of the person make, and the calls that they cover. */
import { decide, type PolicyQuestion, type PolicyRule } from "@localharness/engine";
import type { PermissionAnswer } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { coverage, createGrants } from "../../src/policy/grants.ts";
import { memoryPolicyStore } from "../memory-policy-store.ts";
import { riskOf } from "./ask-about.ts";

const clock = { now: () => 1_000, monotonic: () => 0 };
const question: PolicyQuestion = {
  tool: "read_file",
  arguments: { path: "a" },
  scope: "",
  risk: "medium",
  readOnly: true,
  editsFiles: false,
  mode: "default",
  workspace: "/w",
  facts: {},
};
const command: PolicyQuestion = {
  ...question,
  tool: "bash",
  scope: "npm test",
  risk: "high",
  readOnly: false,
};

describe("ZodoLlama: the answers allow once, session, remember, deny", () => {
  test.each<readonly [string, PolicyQuestion, PermissionAnswer, Partial<PolicyQuestion>, string]>([
    ["once covers nothing more", question, "once", {}, "ask"],
    [
      "once covers a low risk for the session",
      { ...question, risk: "low" },
      "once",
      { risk: "low" },
      "allow",
    ],
    ["session covers other arguments", question, "session", { arguments: { path: "b" } }, "allow"],
    ["session covers no other tool", question, "session", { tool: "write_file" }, "ask"],
    ["session covers no other workspace", question, "session", { workspace: "/w2" }, "ask"],
    ["session covers a command exactly", command, "session", { ...command }, "allow"],
    ["session covers no other command", command, "session", { ...command, scope: "npm test && rm x" }, "ask"],
    ["remember covers this session as well", question, "remember", {}, "allow"],
    ["deny covers nothing", { ...question, risk: "low" }, "deny", { risk: "low" }, "ask"],
    ["plan holds against a grant", command, "session", { ...command, mode: "plan" }, "deny"],
  ])("%s", async (_title, asked, answer, later, decision) => {
    const grants = createGrants(memoryPolicyStore(), clock, riskOf);
    expect(await grants.record(asked, answer)).toBeUndefined();
    expect(grants.decide({ ...asked, ...later }).decision).toBe(decision);
  });

  test.each<readonly [string, Partial<PolicyQuestion>, string]>([
    [
      "a concern asks",
      { facts: { concerns: [{ id: "c", decision: "ask", reason: "r" }] } },
      "built-in:c asks each time",
    ],
    ["a rule asks", { tool: "asked" }, "asks asks each time"],
    [
      "it is not rememberable",
      { facts: { rememberable: false } },
      "calls like this are asked about each time",
    ],
    [
      "it is a low risk, but not rememberable",
      { risk: "low", facts: { rememberable: false } },
      "calls like this are asked about each time",
    ],
  ])("every answer is for the one call when %s", async (_title, more, why) => {
    const asks: PolicyRule = { id: "asks", decision: "ask", justification: "always", tool: "asked" };
    const store = memoryPolicyStore([asks]);
    const grants = createGrants(store, clock, riskOf);
    await grants.load();
    const asked = { ...command, ...more };
    expect(coverage(asked, grants.decide(asked))).toBe(`this one call: ${why}`);
    for (const answer of ["once", "session", "remember"] as const) await grants.record(asked, answer);
    expect(store.rules).toEqual([asks]);
    // Neither this call nor one that no rule and no concern asks about.
    expect(grants.decide(asked).decision).toBe("ask");
    expect(grants.decide({ ...asked, tool: "bash", facts: {} }).decision).toBe("ask");
  });

  const looks = (scope: string): PolicyQuestion => ({
    ...command,
    risk: "low",
    scope,
    facts: { sessionScope: { scope: "only looks", covers: "every command that only looks" } },
  });
  test.each<readonly [PermissionAnswer, string, string]>([
    ["once", "allow", "ask"],
    ["session", "allow", "ask"],
    ["remember", "ask", "ask"],
    ["deny", "ask", "ask"],
  ])(
    "%s to a kind of call covers the kind in this session: %s, and in the next: %s",
    async (answer, now, next) => {
      const store = memoryPolicyStore();
      const grants = createGrants(store, clock, riskOf);
      await grants.record(looks("ls"), answer);
      expect(grants.decide(looks("cat a")).decision).toBe(now);
      expect(grants.decide({ ...looks("cat a"), facts: {} }).decision).toBe("ask");
      expect(grants.decide({ ...looks("ls"), facts: {} }).decision).toBe(
        answer === "remember" ? "allow" : "ask",
      );
      const later = createGrants(store, clock, riskOf);
      await later.load();
      expect(later.decide(looks("cat a")).decision).toBe(next);
    },
  );

  test("an answer of the session is listed, and asks again when it is taken back", async () => {
    const grants = createGrants(memoryPolicyStore(), clock, riskOf);
    await grants.record(command, "session");
    const [answer] = grants.ofSession();
    expect(answer).toMatchObject({ origin: "session", decision: "allow", scope: command.scope });
    expect(grants.decide(command).decision).toBe("allow");
    expect(grants.takeBack("another")).toBe(false);
    expect(grants.takeBack(answer?.id ?? "")).toBe(true);
    expect(grants.decide(command).decision).toBe("ask");
    expect(grants.ofSession()).toEqual([]);
  });

  test("a kind of call may be made by several tools", async () => {
    const grants = createGrants(memoryPolicyStore(), clock, riskOf);
    const edit: PolicyQuestion = {
      ...command,
      tool: "edit_file",
      scope: "",
      facts: { sessionScope: { scope: "edits", covers: "every edit" } },
    };
    await grants.record(edit, "session");
    expect(grants.decide({ ...edit, tool: "write_file" }).decision).toBe("allow");
    expect(grants.decide({ ...edit, tool: "remove", facts: {} }).decision).toBe("ask");
  });

  test("only what was granted for a session covers a kind of call", async () => {
    const rules = ["user", "remembered", "project", undefined].map((origin, index) => ({
      id: `${index}`,
      decision: "allow" as const,
      justification: "j",
      scope: "only looks",
      ...(origin === undefined ? {} : { origin: origin as "user" }),
    }));
    const grants = createGrants(memoryPolicyStore(rules), clock, riskOf);
    await grants.load();
    expect(grants.decide(looks("cat a")).decision).toBe("ask");
  });

  test("remember is kept in the store and holds in the next session, session is not", async () => {
    const store = memoryPolicyStore();
    const first = createGrants(store, clock, riskOf);
    await first.record(command, "remember");
    await first.record(question, "session");
    expect(store.rules).toEqual([
      {
        id: expect.stringMatching(/^remember:bash:rs-/),
        decision: "allow",
        justification: "you chose Remember",
        tool: "bash",
        scope: "npm test",
        workspace: "/w",
        created: 1_000,
      },
    ]);
    const next = createGrants(store, clock, riskOf);
    expect(await next.load()).toEqual([]);
    expect(next.decide(command)).toMatchObject({ decision: "allow", reason: "you chose Remember" });
    expect(next.decide(question).decision).toBe("ask");
    expect(next.explain(command).considered).toHaveLength(1);
  });

  test.each([
    [
      "without a store",
      undefined,
      "the answer holds for this session only: there is no place to remember it",
    ],
    [
      "with a store that fails",
      memoryPolicyStore([], { add: "disk full" }),
      "the answer holds for this session only: disk full",
    ],
  ])("remember %s holds for the session, with a warning", async (_title, store, warning) => {
    const grants = createGrants(store, clock, riskOf);
    expect(await grants.record(question, "remember")).toBe(warning);
    expect(grants.decide(question).decision).toBe("allow");
  });

  test("a store that cannot be read grants nothing, with a warning", async () => {
    const grants = createGrants(memoryPolicyStore([], { load: "torn" }), clock, riskOf);
    expect(await grants.load()).toEqual(["remembered permissions could not be read, so none holds: torn"]);
    expect(grants.decide(question).decision).toBe("ask");
  });

  test("rules of which some could not be read leave nothing risky unasked, in any mode", async () => {
    const rules: PolicyRule[] = [{ id: "a", decision: "allow", justification: "j" }];
    for (const store of [
      { ...memoryPolicyStore(), load: async () => ({ rules, warnings: ["torn"], incomplete: true }) },
      memoryPolicyStore([], { load: "torn" }),
    ]) {
      const grants = createGrants(store, clock, riskOf);
      await grants.load();
      expect(grants.decide({ ...command, mode: "bypass" })).toMatchObject({
        decision: "ask",
        rule: "built-in:unread-rules",
      });
      expect(grants.decide({ ...question, risk: "safe" }).decision).toBe("allow");
    }
  });

  test("rules with something wrong are said after the warnings of the store", async () => {
    const rules: PolicyRule[] = [{ id: "a", decision: "allow", justification: "j", tool: "x*" }];
    const grants = createGrants(memoryPolicyStore(rules, { warnings: ["first"] }), clock, riskOf);
    expect(await grants.load()).toEqual(["first", expect.stringMatching(/^the rule a is not used \(tool: /)]);
  });

  test("the warnings of the store are handed on", async () => {
    expect(
      await createGrants(memoryPolicyStore([], { warnings: ["kept aside"] }), clock, riskOf).load(),
    ).toEqual(["kept aside"]);
    expect(await createGrants(undefined, clock, riskOf).load()).toEqual([]);
  });

  test("a prompt says what session and remember would cover", () => {
    expect(coverage(question, decide(question, []))).toBe("every read_file call in this workspace");
    expect(coverage(looks("ls"), decide(looks("ls"), []))).toBe(
      "for this session: every command that only looks; remembered: exactly this, in this workspace: ls",
    );
    const covers = { ...command, facts: { covers: "npm test, as long as package.json stays as it is" } };
    expect(coverage(covers, decide(covers, []))).toBe(
      "in this workspace: npm test, as long as package.json stays as it is",
    );
    expect(coverage(command, decide(command, []))).toBe("exactly this, in this workspace: npm test");
  });
});
