/** The facts that a tool finds about a call, and how they become part of the question for the policy. */
import { type CallFacts, type PolicyQuestion, policyQuestion, type Tool } from "@localharness/engine";
import { afterEach, describe, expect, test, vi } from "vitest";
import { makeTool } from "../make-tool.ts";

afterEach(() => {
  vi.useRealTimers();
});

const around = { mode: "default", workspace: "/w" } as const;
const plain: PolicyQuestion = {
  tool: "look",
  arguments: {},
  scope: "",
  risk: "medium",
  readOnly: false,
  editsFiles: false,
  mode: "default",
  workspace: "/w",
  facts: {},
};
const ask = (tool: Partial<Tool>, more: object = {}, signal?: AbortSignal) =>
  policyQuestion(makeTool({ risk: "medium", readOnly: false, ...tool }), {}, { ...around, ...more }, signal);
const unexamined = {
  concerns: [
    {
      id: "unexamined",
      decision: "ask",
      reason: expect.stringContaining("it is unknown what the call would touch"),
    },
  ],
  rememberable: false,
};

describe("the question for the policy", () => {
  const facts: CallFacts = {
    scope: "s",
    risk: "low",
    readOnly: true,
    paths: [{ path: "a", access: "read" }],
  };
  const concern = { id: "protected:.git", decision: "ask", reason: "git runs it" } as const;
  test.each<readonly [string, Partial<Tool>, object, Partial<PolicyQuestion>]>([
    ["of a tool that does not look", {}, {}, {}],
    ["of a tool with its own scope", { grantScope: () => "g" }, {}, { scope: "g" }],
    ["of a tool that finds nothing", { examine: () => ({}) }, {}, {}],
    [
      "takes scope, risk and readOnly from what was found",
      { grantScope: () => "g", examine: async () => facts },
      {},
      { scope: "s", risk: "low", readOnly: true, facts },
    ],
    [
      "of a tool that changes something in a folder that is not trusted",
      { examine: () => ({ concerns: [concern] }) },
      { trusted: false },
      { facts: { concerns: [expect.objectContaining({ id: "untrusted", decision: "deny" }), concern] } },
    ],
    [
      "of a command that changes nothing in a folder that is not trusted",
      { examine: () => ({ readOnly: true }) },
      { trusted: false },
      {
        readOnly: true,
        facts: { readOnly: true, concerns: [expect.objectContaining({ id: "untrusted", decision: "deny" })] },
      },
    ],
    [
      "of a tool that only reads in a folder that is not trusted",
      { readOnly: true },
      { trusted: false },
      { readOnly: true },
    ],
  ])("%s", async (_title, tool, more, expected) => {
    expect(await ask(tool, more)).toEqual({ ...plain, ...expected });
  });
});

describe("a tool that cannot say what a call would do makes one that is asked about", () => {
  test.each<readonly [string, NonNullable<Tool["examine"]>]>([
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no"))],
    ["gives nothing", () => undefined as unknown as CallFacts],
    ["gives a list", () => [] as unknown as CallFacts],
    ["gives what is no data", () => ({ scope: () => "x" }) as unknown as CallFacts],
  ])("because it %s", async (_title, examine) => {
    expect((await ask({ examine })).facts).toEqual(unexamined);
  });

  test("what a tool changes after it has looked is not what was decided on", async () => {
    const paths: { path: string; access: "read" | "write" }[] = [{ path: "a", access: "read" }];
    const question = await ask({ examine: () => ({ paths }) });
    paths[0] = { path: ".env", access: "write" };
    expect(question.facts.paths).toEqual([{ path: "a", access: "read" }]);
  });

  test("because it takes more than 3 s; it is told to stop", async () => {
    vi.useFakeTimers();
    let stopped = false;
    const examine = (_args: unknown, signal: AbortSignal) => {
      signal.addEventListener("abort", () => {
        stopped = true;
      });
      return new Promise<CallFacts>(() => undefined);
    };
    const question = ask({ examine });
    await vi.advanceTimersByTimeAsync(2_999);
    expect(stopped).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect((await question).facts).toEqual(unexamined);
    expect(stopped).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});
