/** The grants that answers of the person make, and the calls that they cover. */
import {
  decide,
  type LoadedRules,
  type PolicyQuestion,
  type PolicyRule,
  type PolicyStore,
} from "@localharness/engine";
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

/** Opens grants; `told` gets the warnings about rules that are read again. */
function openGrants(store: PolicyStore | undefined, told: string[] = []) {
  return createGrants(store, clock, riskOf, (warning) => told.push(warning));
}

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
    const grants = openGrants(memoryPolicyStore());
    expect(await grants.record(asked, answer)).toBeUndefined();
    expect((await grants.decide({ ...asked, ...later })).decision).toBe(decision);
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
    const grants = openGrants(store);
    await grants.load();
    const asked = { ...command, ...more };
    expect(coverage(asked, await grants.decide(asked))).toBe(`this one call: ${why}`);
    for (const answer of ["once", "session", "remember"] as const) await grants.record(asked, answer);
    expect(store.rules).toEqual([asks]);
    // Neither this call nor one that no rule and no concern asks about.
    expect((await grants.decide(asked)).decision).toBe("ask");
    expect((await grants.decide({ ...asked, tool: "bash", facts: {} })).decision).toBe("ask");
  });

  const looks = (scope: string): PolicyQuestion => ({
    ...command,
    risk: "low",
    scope,
    facts: { kind: { scope: "only looks", covers: "every command that only looks" } },
  });
  test.each<readonly [PermissionAnswer, string, string]>([
    ["once", "allow", "ask"],
    ["session", "allow", "ask"],
    ["remember", "allow", "allow"],
    ["deny", "ask", "ask"],
  ])(
    "%s to a kind of call covers the kind in this session: %s, and in the next: %s",
    async (answer, now, next) => {
      const store = memoryPolicyStore();
      const grants = openGrants(store);
      await grants.record(looks("ls"), answer);
      expect((await grants.decide(looks("cat a"))).decision).toBe(now);
      expect((await grants.decide({ ...looks("cat a"), facts: {} })).decision).toBe("ask");
      expect((await grants.decide({ ...looks("ls"), facts: {} })).decision).toBe("ask");
      const later = openGrants(store);
      await later.load();
      expect((await later.decide(looks("cat a"))).decision).toBe(next);
    },
  );

  test("an answer of the session is listed, and asks again when it is taken back", async () => {
    const grants = openGrants(memoryPolicyStore());
    await grants.record(command, "session");
    const [answer] = grants.ofSession();
    expect(answer).toMatchObject({ origin: "session", decision: "allow", scope: command.scope });
    expect((await grants.decide(command)).decision).toBe("allow");
    expect(grants.takeBack("another")).toBe(false);
    expect(grants.takeBack(answer?.id ?? "")).toBe(true);
    expect((await grants.decide(command)).decision).toBe("ask");
    expect(grants.ofSession()).toEqual([]);
  });

  test.each(["session", "remember"] as const)(
    "a kind of call may be made by several tools: %s",
    async (answer) => {
      const grants = openGrants(memoryPolicyStore());
      const edit: PolicyQuestion = {
        ...command,
        tool: "edit_file",
        scope: "",
        facts: { kind: { scope: "edits", covers: "every edit" } },
      };
      await grants.record(edit, answer);
      expect((await grants.decide({ ...edit, tool: "write_file" })).decision).toBe("allow");
      expect((await grants.decide({ ...edit, tool: "remove", facts: {} })).decision).toBe("ask");
      const other = { ...edit, tool: "bash", scope: "edits", facts: {} };
      expect((await grants.decide(other)).decision, "a command of the same text").toBe("ask");
    },
  );

  const wide = (scope: string, facts: object = {}): PolicyQuestion => ({
    ...command,
    scope,
    facts: { wider: { scope: "any npm test", covers: "any npm test ...", begins: "npm test" }, ...facts },
  });
  test.each(["session", "remember"] as const)(
    "%s for the wider scope covers calls of the same beginning only",
    async (answer) => {
      const store = memoryPolicyStore();
      const grants = openGrants(store);
      await grants.record(wide("npm test -- a"), answer);
      expect((await grants.decide(wide("npm test -- b"))).decision).toBe("ask");
      await grants.record(wide("npm test -- c"), answer, true);
      expect((await grants.decide(wide("npm test -- b"))).decision).toBe("allow");
      expect((await grants.decide({ ...wide("npm test -- b"), facts: {} })).decision).toBe("ask");
      expect((await grants.decide({ ...wide("npm test -- b"), tool: "other" })).decision).toBe("ask");
      expect((await grants.decide({ ...wide("npm test -- b"), workspace: "/v" })).decision).toBe("ask");
      const concerns = [{ id: "c", decision: "ask" as const, reason: "r" }];
      expect((await grants.decide(wide("npm test -- b", { concerns }))).decision).toBe("ask");
      const later = openGrants(store);
      await later.load();
      expect((await later.decide(wide("npm test -- b"))).decision).toBe(
        answer === "remember" ? "allow" : "ask",
      );
    },
  );

  test("a wider answer is possible where the exact one holds only once, and not where a concern asks", async () => {
    const grants = openGrants(memoryPolicyStore());
    const concerns = [{ id: "c", decision: "ask" as const, reason: "r" }];
    await grants.record(wide("npm test", { concerns }), "session", true);
    expect(grants.ofSession()).toEqual([]);
    await grants.record(wide("npm test", { rememberable: false }), "session", true);
    expect((await grants.decide(wide("npm test"))).decision).toBe("allow");
  });

  test("an answer of the session that a wider one covers is listed no more", async () => {
    const grants = openGrants(memoryPolicyStore());
    await grants.record(wide("npm test -- a"), "session");
    await grants.record({ ...command, scope: "npm run x" }, "session");
    await grants.record(wide("npm test -- b"), "session", true);
    expect(grants.ofSession().map(({ scope }) => scope)).toEqual(["npm run x", "any npm test"]);
  });

  test("only an answer covers a kind of call", async () => {
    const rules = ["user", "project", undefined].map((origin, index) => ({
      id: `${index}`,
      decision: "allow" as const,
      justification: "j",
      scope: "only looks",
      ...(origin === undefined ? {} : { origin: origin as "user" }),
    }));
    const grants = openGrants(memoryPolicyStore(rules));
    await grants.load();
    expect((await grants.decide(looks("cat a"))).decision).toBe("ask");
  });

  test("remember is kept in the store and holds in the next session, session is not", async () => {
    const store = memoryPolicyStore();
    const first = openGrants(store);
    await first.record(command, "remember");
    await first.record(question, "session");
    expect(store.rules).toEqual([
      {
        id: expect.stringMatching(/^remember:bash:rs-/),
        decision: "allow",
        origin: "remembered",
        justification: "you chose Remember",
        tool: "bash",
        scope: "npm test",
        workspace: "/w",
        created: 1_000,
      },
    ]);
    const next = openGrants(store);
    expect(await next.load()).toEqual([]);
    expect(await next.decide(command)).toMatchObject({ decision: "allow", reason: "you chose Remember" });
    expect((await next.decide(question)).decision).toBe("ask");
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
    const grants = openGrants(store);
    expect(await grants.record(question, "remember")).toBe(warning);
    expect((await grants.decide(question)).decision).toBe("allow");
  });

  test("a store that cannot be read grants nothing, with a warning", async () => {
    const grants = openGrants(memoryPolicyStore([], { load: "torn" }));
    expect(await grants.load()).toEqual(["remembered permissions could not be read, so none holds: torn"]);
    expect((await grants.decide(question)).decision).toBe("ask");
  });

  test("rules of which some could not be read leave nothing risky unasked, in any mode", async () => {
    const rules: PolicyRule[] = [{ id: "a", decision: "allow", justification: "j" }];
    for (const store of [
      { ...memoryPolicyStore(), load: async () => ({ rules, warnings: ["torn"], incomplete: true }) },
      memoryPolicyStore([], { load: "torn" }),
    ]) {
      const grants = openGrants(store);
      await grants.load();
      expect(await grants.decide({ ...command, mode: "bypass" })).toMatchObject({
        decision: "ask",
        rule: "built-in:unread-rules",
      });
      expect((await grants.decide({ ...question, risk: "safe" })).decision).toBe("allow");
    }
  });

  test("rules with something wrong are said after the warnings of the store", async () => {
    const rules: PolicyRule[] = [{ id: "a", decision: "allow", justification: "j", tool: "x*" }];
    const grants = openGrants(memoryPolicyStore(rules, { warnings: ["first"] }));
    expect(await grants.load()).toEqual(["first", expect.stringMatching(/^the rule a is not used \(tool: /)]);
  });

  test("the warnings of the store are handed on", async () => {
    expect(await openGrants(memoryPolicyStore([], { warnings: ["kept aside"] })).load()).toEqual([
      "kept aside",
    ]);
    expect(await openGrants(undefined).load()).toEqual([]);
  });

  test("a prompt says what session and remember would cover", () => {
    expect(coverage(question, decide(question, []))).toBe("every read_file call");
    expect(coverage(looks("ls"), decide(looks("ls"), []))).toBe("every command that only looks");
    const covers = { ...command, facts: { covers: "npm test, as long as package.json stays as it is" } };
    expect(coverage(covers, decide(covers, []))).toBe("npm test, as long as package.json stays as it is");
    expect(coverage(command, decide(command, []))).toBe("exactly this: npm test");
  });
});

const allowsTest: PolicyRule = { id: "a", decision: "allow", justification: "j", tool: "bash" };
const deniesTest: PolicyRule = { id: "d", decision: "deny", justification: "j", tool: "bash" };
const unread = { rules: [], warnings: ["torn"], incomplete: true };

/** A store whose rules are those of the last element. */
function changingStore(...states: LoadedRules[]) {
  const state = () => ({ ...(states.at(-1) ?? { rules: [], warnings: [] }), mark: `${states.length}` });
  const store: PolicyStore = {
    ...memoryPolicyStore(),
    load: async () => state(),
    newer: async (mark) => (mark === state().mark ? undefined : state()),
    add: async (rule) => void states.push({ rules: [...state().rules, rule], warnings: [] }),
  };
  return { store, become: (next: LoadedRules) => void states.push(next) };
}

describe("rules that change while a session is open", () => {
  const rules = (...given: PolicyRule[]): LoadedRules => ({ rules: given, warnings: [] });

  test.each<readonly [string, LoadedRules, LoadedRules, string]>([
    ["a new rule allows at once", rules(), rules(allowsTest), "allow"],
    ["a new rule denies at once", rules(allowsTest), rules(allowsTest, deniesTest), "deny"],
    ["a rule that was forgotten allows no more", rules(allowsTest), rules(), "ask"],
    ["a rule that was forgotten denies no more", rules(deniesTest), rules(), "ask"],
    ["rules that cannot be read deny as before", rules(deniesTest), unread, "deny"],
    ["rules that cannot be read may forbid what was allowed", rules(allowsTest), unread, "ask"],
    [
      "of rules that are not complete those count that deny",
      rules(allowsTest),
      { ...unread, rules: [deniesTest] },
      "deny",
    ],
  ])("%s", async (_title, first, then, decision) => {
    const { store, become } = changingStore(first);
    const grants = openGrants(store);
    await grants.load();
    await grants.decide(command);
    become(then);
    expect((await grants.decide(command)).decision).toBe(decision);
  });

  test("the person is told once that they cannot be read, and rules that can be read hold again", async () => {
    const { store, become } = changingStore(rules(allowsTest));
    const told: string[] = [];
    const grants = openGrants(store, told);
    await grants.load();
    for (const state of [unread, { ...unread }]) {
      become(state);
      await Promise.all([grants.decide(command), grants.decide(question)]);
    }
    expect(told).toEqual(["torn"]);
    become(rules(allowsTest));
    expect((await grants.decide(command)).decision).toBe("allow");
    become(unread);
    await grants.decide(command);
    expect(told).toEqual(["torn", "torn"]);
  });

  test("a remembered answer that another process forgets allows no more", async () => {
    const { store, become } = changingStore(rules());
    const grants = openGrants(store);
    await grants.load();
    await grants.record(command, "remember");
    expect((await grants.decide(command)).decision).toBe("allow");
    become(rules());
    expect((await grants.decide(command)).decision).toBe("ask");
  });

  test.each<PermissionAnswer>(["session", "remember"])(
    "an answer %s that was not saved outlives a change of the rules",
    async (answer) => {
      const { store, become } = changingStore(rules());
      const grants = openGrants({ ...store, add: () => Promise.reject(new Error("disk full")) });
      await grants.load();
      await grants.record(command, answer);
      become(rules());
      expect((await grants.decide(command)).decision).toBe("allow");
      expect(grants.ofSession()).toHaveLength(1);
    },
  );
});
