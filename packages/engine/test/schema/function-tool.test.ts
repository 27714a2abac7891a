import { expect, it } from "vitest";
import { functionTool } from "../../src/schema/function-tool.ts";
import type { ToolContext } from "../../src/tool.ts";

const context: ToolContext = { callId: "c", signal: new AbortController().signal, report: () => undefined };
const parameters = { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } } as const;

it("calls a positional function with its arguments in order and the context last", async () => {
  const tool = functionTool(
    (a: number, b: number, given: ToolContext) => `${a - b} ${given.callId}`,
    { name: "takeAway", description: "Subtracts.", parameters, positional: ["a", "b"] },
    { risk: "safe", readOnly: true },
  );
  expect(tool).toMatchObject({ name: "take_away", description: "Subtracts.", parameters, risk: "safe" });
  expect(await tool.execute({ b: 1, a: 5 }, context)).toEqual({ ok: true, data: "4 c" });
});

it("hands the whole object to a function of one object, and passes a full output through", async () => {
  const tool = functionTool(
    ({ a }: { a: number }) => ({ ok: false, errorType: "not_found", message: `no ${a}` }),
    { name: "f", description: "", parameters },
    { name: "other", risk: "low", readOnly: false },
  );
  expect(tool.name).toBe("other");
  expect(await tool.execute({ a: 7 }, context)).toEqual({
    ok: false,
    errorType: "not_found",
    message: "no 7",
  });
});
