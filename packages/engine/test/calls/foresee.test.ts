/** Checks that nobody is asked about a call whose failure is foreseen. */
import type { CallFacts, PolicyRule, SessionOptions, Tool } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { memoryPolicyStore } from "../memory-policy-store.ts";
import { expectSound, runTurn } from "../open-session.ts";
import { denied, session, shown, write } from "../write-session.ts";

describe("a call that would fail", () => {
  const failure = { ok: false, errorType: "not_found", message: "old_string is not in the file" } as const;
  const failing = (more: Partial<Tool> = {}) => write({ foresee: async () => failure, ...more });

  test.each<[string, Partial<SessionOptions>]>([
    ["gets its failure without a question", {}],
    ["gets its failure where nobody can be asked", { interactive: false }],
  ])("%s", async (_title, more) => {
    const opened = session({ tool: failing(), ...more });
    const end = await runTurn(opened);
    expectSound(opened);
    expect(shown(opened)).toEqual(["not_found", "not_found"]);
    expect(opened.of("permission-request")).toEqual([]);
    expect(opened.of("tool-start")).toEqual([]);
    expect(end.denied).toBe(0);
  });

  test("or change nothing gets its output without a question", async () => {
    const unchanged = { ok: true, data: "nothing was written" } as const;
    const opened = session({ tool: write({ foresee: async () => unchanged }) });
    const end = await runTurn(opened);
    expectSound(opened);
    expect(shown(opened)).toEqual(["none", "none"]);
    expect(opened.of("permission-request")).toEqual([]);
    expect(opened.of("tool-start")).toEqual([]);
    expect(end.denied).toBe(0);
  });

  test("is denied by a rule first", async () => {
    const rules: PolicyRule[] = [
      { id: "no", tool: "write", decision: "deny", justification: "no writes", origin: "user" },
    ];
    const opened = session({ tool: failing(), policyStore: memoryPolicyStore(rules) });
    await runTurn(opened);
    expect(shown(opened)).toEqual([denied, denied]);
  });

  const path = { path: "a", access: "write" } as const;
  const noReads: PolicyRule = { id: "no-reads", decision: "ask", justification: "j", tool: "read_file" };
  const onlyCommon = { concerns: [{ id: "secret:x", decision: "ask", reason: "r" } as const] };
  test.each<[string, boolean, CallFacts, readonly PolicyRule[], boolean]>([
    ["in a folder whose files may be read", true, { paths: [path] }, [], true],
    ["where reads ask", false, { paths: [path] }, [], false],
    ["where a rule asks about reads", true, { paths: [path] }, [noReads], false],
    ["about a secret", true, { paths: [path], ...onlyCommon }, [], false],
    ["about unknown paths", true, {}, [], false],
  ])("may show the file %s: %s", async (_title, looks, facts, rules, expected) => {
    const told: boolean[] = [];
    const foresee = async (_args: unknown, _signal: AbortSignal, mayShow: boolean) => {
      told.push(mayShow);
      return failure;
    };
    const tool = write({ foresee, examine: () => facts });
    const opened = session({ tool, freedoms: { looks }, policyStore: memoryPolicyStore([...rules]) });
    await runTurn(opened);
    expect(told).toEqual([expected, expected]);
  });

  test("is asked about when the failure cannot be foreseen", async () => {
    const foresee = async () => {
      throw new Error("defect");
    };
    const opened = session({ tool: write({ foresee }), answers: ["once", "once"] });
    await runTurn(opened);
    expect(shown(opened)).toEqual(["none", "none"]);
    expect(opened.of("permission-request")).toHaveLength(2);
  });
});
