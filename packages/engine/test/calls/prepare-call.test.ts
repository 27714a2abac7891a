/** Calls that are prepared, or get their result at once because they cannot run. */
import { createRegistry, type Tool } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { prepareCall } from "../../src/calls/prepare-call.ts";
import { makeTool } from "../make-tool.ts";

const clock = { now: () => 7, monotonic: () => 0 };
const fails = () => {
  throw new Error("boom");
};
const prepare = (tool: Partial<Tool>, name: string, args: string | Record<string, string>) =>
  prepareCall(
    { id: "1", name, arguments: args },
    { registry: createRegistry([makeTool(tool)]), clock, mode: "plan", workspace: "/w" },
  );

describe("a call", () => {
  test("is ready with the tool's own name, typed arguments, its notes and the question for the policy", () => {
    const tool: Partial<Tool> = {
      aliases: ["peek"],
      grantScope: (args) => `look at ${args["path"]}`,
      risk: (args) => (args["path"] === "a" ? "high" : "low"),
      editsFiles: true,
    };
    expect(prepare(tool, "Peek", '{"path":["a"],"x":1}')).toMatchObject({
      kind: "ready",
      id: "1",
      tool: { name: "look" },
      arguments: { path: "a" },
      notes: ["path: read an array of 1 as its only item", 'unknown parameter "x" was ignored']
        .sort()
        .reverse(),
      question: {
        tool: "look",
        arguments: { path: "a" },
        scope: "look at a",
        risk: "high",
        readOnly: true,
        editsFiles: true,
        mode: "plan",
        workspace: "/w",
      },
      key: 'look {"path":"a"}',
    });
  });

  test.each<readonly [string, Partial<Tool>, string, string, string, RegExp]>([
    ["of an unknown tool", {}, "lock", "{}", "lock not_found", /no tool named "lock"\. Did you mean "look"/],
    [
      "with broken JSON",
      {},
      "LOOK",
      '{"path":',
      "look validation_failed",
      /not valid JSON.*A correct call has the arguments/,
    ],
    [
      "whose risk fails",
      { risk: fails },
      "look",
      "{}",
      "look internal_error",
      /failed unexpectedly before it could run: boom/,
    ],
    ["whose scope fails", { grantScope: fails }, "look", "{}", "look internal_error", /boom/],
  ])("%s is settled", (_title, tool, name, args, settled, message) => {
    const call = prepare(tool, name, args);
    expect(call.kind === "settled" && `${call.toolName} ${call.result.error_type}`).toBe(settled);
    expect(call.kind === "settled" && call.result.error_message).toMatch(message);
  });
});

describe("what runs is what was shown", () => {
  test("the arguments of a ready call are a copy that nothing can change", () => {
    const given = { path: "a", deep: { list: [{ x: "1" }] } };
    const open: Partial<Tool> = {
      parameters: { type: "object", properties: {}, additionalProperties: true },
    };
    const call = prepareCall(
      { id: "1", name: "look", arguments: given },
      { registry: createRegistry([makeTool(open)]), clock, mode: "plan", workspace: "/w" },
    );
    given.deep.list.push({ x: "2" });
    if (call.kind !== "ready") throw new Error("it must be ready");
    expect(call.arguments).toEqual({ path: "a", deep: { list: [{ x: "1" }] } });
    const { deep } = call.arguments as typeof given;
    for (const value of [call.arguments, deep, deep.list, deep.list[0]])
      expect(Object.isFrozen(value)).toBe(true);
  });
});
