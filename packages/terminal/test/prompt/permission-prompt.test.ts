/** Checks what stays in sight beside the answers of a permission question, and that answers without effect are not offered. */
import { stripVTControlCharacters } from "node:util";
import type { PermissionAnswer, PermissionRequest } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
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
  let draft = "";
  const prompt = new PermissionPrompt({
    request: { ...request, ...given },
    theme: createTheme("none", {}),
    rows: () => rows,
    drawn: () => undefined,
    ready: () => true,
    draft: () => draft,
    toEditor: (data) => {
      draft += data;
    },
    pasteToEditor: () => undefined,
    hold: () => {
      held = true;
    },
    isApart: () => false,
    rest: () => undefined,
    startOver: () => undefined,
    answer: (answer) => answered.push(answer),
  });
  const press = (...keys: readonly string[]) => {
    for (const key of keys) {
      prompt.render(80);
      prompt.handleInput(key);
      if (held) prompt.settleHeld();
      held = false;
    }
    return answered;
  };
  const lines = (width = 80) => prompt.render(width).map(stripVTControlCharacters);
  return { press, lines, draft: () => draft };
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
    expect(at("Asked because it changes")).toBeGreaterThan(at("+line"));
    expect(at("Answers 2 and 3 cover every edit")).toBeGreaterThan(at("Asked because it changes"));
    expect(at("[1] Allow Once")).toBeGreaterThan(at("Answers 2 and 3 cover"));
  }
  expect(lines().join("\n")).toContain("+line 3");
});

const long = Array.from({ length: 400 }, (_, index) => `echo ${index}`).join("\n");
const command = { toolName: "bash", arguments: { command: long }, sandbox: "a sandbox" };
const { preview: _, ...withoutDiff } = request;

describe.each([4, 5, 8, 11, 12, 24, 50])("a command of 400 lines in %s rows", (rows) => {
  const asked = () => open({ ...withoutDiff, ...command, preview: undefined } as never, rows);

  test("keeps risk, sandbox and scope in sight", () => {
    const { press, lines } = asked();
    for (const page of [0, 1, 2, 3]) {
      if (page > 0) press(pageDown);
      const drawn = lines();
      expect(drawn.length).toBeLessThanOrEqual(rows);
      if (rows > 4) expect(drawn.join("\n")).toMatch(/high risk|Careful/);
      if (rows > 4) expect(drawn.join("\n")).toMatch(/sandbox/);
      expect(drawn.join("\n")).toMatch(/lines \d+ to \d+ of 4\d\d/);
    }
  });

  test("is allowed by the second press only, unless its end was shown", () => {
    expect(asked().press("1")).toEqual([]);
    expect(asked().press("\r")).toEqual([]);
    expect(asked().press("2")).toEqual([]);
    expect(asked().press("1", "2")).toEqual([]);
    expect(asked().press("1", "1")).toEqual(["once"]);
    expect(asked().press("1", "\r")).toEqual(["once"]);
    expect(asked().press("4", "\r")).toEqual(["deny"]);
    expect(asked().press(...Array.from({ length: 500 }, () => pageDown), "1")).toEqual(["once"]);
  });

  test("says what was not shown and what a second press does", () => {
    const { press, lines } = asked();
    press("1");
    expect(lines().join("\n")).toMatch(/1 again allows; \d+ lines unread/);
  });
});

test.each(["/", "/mode auto"])("%s begins a command in the editor, and no note", (text) => {
  const { press, draft } = open({}, 30);
  expect(press(text, "\u001b[B")).toEqual([]);
  expect(draft()).toContain(text);
});

test("in a low window all of it scrolls", () => {
  const { press, lines } = open({}, 10);
  const seen = new Set(lines());
  for (let page = 0; page < 20; page += 1) {
    press(pageDown);
    for (const line of lines()) seen.add(line);
  }
  for (const text of ["Asked because it changes", "Answers 2 and 3 cover", "+line 59"]) {
    expect([...seen].join("\n")).toContain(text);
  }
});

const covers =
  "for this session: every edit of ordinary files; remembered: exactly this, in this workspace: a.txt";
const paths = [
  { path: "a.txt", access: "read" },
  { path: "a.txt", access: "write" },
] as const;

describe.each([
  [60, 16],
  [36, 24],
])("an edit in %s columns", (width, enough) => {
  test.each([4, 5, 6, 8, 10, 12, 16, 24, 40])(
    "says in %s rows what the answers cover, or which key shows it",
    (rows) => {
      const { lines } = open({ covers, paths }, rows);
      const drawn = lines(width);
      expect(drawn.length).toBeLessThanOrEqual(rows);
      const text = drawn.join(" ").replace(/\s+/g, " ");
      if (rows >= enough) expect(text).toContain(`2 and 3 cover ${covers}`);
      else expect(text).toMatch(/PgDn: (?:files, and )?what 2 and 3 cover|PgDn: more|workspace: a\.txt/);
      expect(text).toContain("high risk");
    },
  );
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
  expect(open({ answers: once, preview: "+a" }, 30).press(...keys)).toEqual(answers);
});
