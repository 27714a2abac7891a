/** Checks what stays in sight beside the answers of a permission question, and that answers without effect are not offered. */
import { stripVTControlCharacters } from "node:util";
import type { PermissionAnswer, PermissionRequest } from "@localharness/protocol";
import { expect, test } from "vitest";
import { PermissionPrompt } from "../../src/prompt/permission-prompt.ts";
import { createTheme } from "../../src/theme/theme.ts";

const request: PermissionRequest = {
  requestId: "r",
  callId: "c",
  toolName: "write_file",
  arguments: { path: "a.txt" },
  argumentsHash: "",
  risk: "high",
  rule: "risk:high",
  reason: 'it changes "a.txt" (HIGH risk)',
  covers: "every edit of ordinary files",
  concerns: [],
  preview: Array.from({ length: 60 }, (_, index) => `+line ${index}`).join("\n"),
};

function open(given: Partial<PermissionRequest>, rows: number) {
  const answered: PermissionAnswer[] = [];
  let held = false;
  const prompt = new PermissionPrompt({
    request: { ...request, ...given },
    theme: createTheme("none", {}),
    rows: () => rows,
    drawn: () => undefined,
    ready: () => true,
    draft: () => "",
    toEditor: () => undefined,
    pasteToEditor: () => undefined,
    hold: () => {
      held = true;
    },
    rest: () => undefined,
    startOver: () => undefined,
    answer: (answer) => answered.push(answer),
  });
  const press = (...keys: readonly string[]) => {
    for (const key of keys) {
      prompt.handleInput(key);
      if (held) prompt.settleHeld();
      held = false;
    }
    return answered;
  };
  const lines = () => prompt.render(80).map(stripVTControlCharacters);
  return { press, lines };
}

const down = "\u001b[B";
const pageDown = "\u001b[6~";

test("the diff comes first and scrolls, the risk and the scope stay above the answers", () => {
  const { press, lines } = open({}, 30);
  for (const page of [0, 1, 2]) {
    if (page > 0) press(pageDown);
    const drawn = lines();
    expect(drawn.length).toBeLessThanOrEqual(30);
    const at = (text: string) => drawn.findIndex((line) => line.includes(text));
    expect(at("Careful: it changes")).toBeGreaterThan(at("+line"));
    expect(at("Answers 2 and 3 cover every edit")).toBeGreaterThan(at("Careful: it changes"));
    expect(at("[1] Allow Once")).toBeGreaterThan(at("Answers 2 and 3 cover"));
  }
  expect(lines().join("\n")).toContain("+line 3");
});

test("in a low window all of it scrolls", () => {
  const { press, lines } = open({}, 10);
  const seen = new Set(lines());
  for (let page = 0; page < 20; page += 1) {
    press(pageDown);
    for (const line of lines()) seen.add(line);
  }
  for (const text of ["Careful: it changes", "Answers 2 and 3 cover", "+line 59"]) {
    expect([...seen].join("\n")).toContain(text);
  }
});

const once: readonly PermissionAnswer[] = ["once", "deny"];

test.each([8, 30])("answers that would cover nothing more are not offered in %s rows", (rows) => {
  const drawn = open({ answers: once }, rows).lines().join("\n");
  expect(drawn).toContain("[1] Allow Once");
  expect(drawn).toMatch(/\[4\] Deny/);
  expect(drawn).not.toMatch(/Session|Remember/);
});

test.each<readonly [readonly string[], readonly PermissionAnswer[]]>([
  [["1"], ["once"]],
  [["2"], []],
  [["3"], []],
  [["4", "\r"], ["deny"]],
  [[down, "\r", "\r"], ["deny"]],
  [[down, down, "\r"], ["once"]],
])("with these keys they give: %j", (keys, answers) => {
  expect(open({ answers: once }, 30).press(...keys)).toEqual(answers);
});
