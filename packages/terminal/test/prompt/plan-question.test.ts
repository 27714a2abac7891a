/** Checks how the question about a plan is drawn, also in narrow and low windows. */
import { modesAfterPlan, type PermissionRequest } from "@localharness/protocol";
import { expect, test } from "vitest";
import { PermissionPrompt } from "../../src/prompt/permission-prompt.ts";
import { createTheme } from "../../src/theme/theme.ts";

const request: PermissionRequest = {
  requestId: "r",
  callId: "c",
  toolName: "present_plan",
  arguments: { plan: "1. Look.\n\u001b[2J2. Write." },
  argumentsHash: "",
  risk: "safe",
  rule: "built-in:plan",
  reason: "the model presents its plan",
  covers: "this one call",
  concerns: [
    { id: "plan", reason: "the model presents its plan" },
    { id: "quoted", reason: "it may only be quoted" },
  ],
  plan: { modes: modesAfterPlan },
};

function drawn(width: number, rows: number, editable = true): readonly string[] {
  const prompt = new PermissionPrompt({
    request,
    theme: createTheme("none", {}),
    rows: () => rows,
    drawn: () => undefined,
    ready: () => true,
    draft: () => "",
    toEditor: () => undefined,
    pasteToEditor: () => undefined,
    hold: () => undefined,
    isApart: () => false,
    rest: () => undefined,
    startOver: () => undefined,
    answer: () => undefined,
    ...(editable
      ? { openEditor: () => ({ handleInput: () => undefined, paste: () => undefined, render: () => [] }) }
      : {}),
  });
  return prompt.render(width);
}

test.each([36, 40, 51, 52, 60, 87, 88, 120])("all answers fit on one line of %s columns", (width) => {
  const line = drawn(width, 8).at(-1) ?? "";
  expect(line.length).toBeLessThanOrEqual(width);
  expect(modesAfterPlan).toHaveLength(3);
  expect(line.match(/\d/g)).toEqual(["1", "2", "3", "5", "4"]);
});

test("the plan is drawn without control characters, warnings but its own above it", () => {
  const lines = drawn(80, 30);
  expect(lines.join("\n")).not.toContain("\u001b[2J");
  expect(lines).toContain("Careful: it may only be quoted");
  expect(lines).not.toContain("Careful: the model presents its plan");
  expect(lines.at(-1)).toBe("  [4] Refuse, with a note to the model if you like");
});

test("without a field to edit it in, no answer edits", () => {
  expect(drawn(80, 30, false).join("\n")).not.toContain("Edit");
});
