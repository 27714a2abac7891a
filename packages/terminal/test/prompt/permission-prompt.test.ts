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
  grade: "undoable",
  reason: 'it changes "a.txt"',
  covers: "every edit of ordinary files",
  concerns: [],
  preview: Array.from({ length: 60 }, (_, index) => `+line ${index}`).join("\n"),
};

function open(given: Partial<PermissionRequest>, rows: number) {
  const answered: unknown[] = [];
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
    answer: (answer, _note, more) => answered.push(more === undefined ? answer : { answer, ...more }),
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

test("the diff comes first and scrolls, the reason stays above the answers, which say what they cover", () => {
  const { press, lines } = open({}, 30);
  for (const page of [0, 1, 2]) {
    if (page > 0) press(pageDown);
    const drawn = lines();
    expect(drawn.length).toBeLessThanOrEqual(30);
    const at = (text: string) => drawn.findIndex((line) => line.includes(text));
    expect(at('it changes "a.txt" · Tab: more')).toBeGreaterThan(at("+line"));
    expect(at("[1] Allow Once")).toBeGreaterThan(at("it changes"));
    expect(at("Session: every edit of ordinary files")).toBeGreaterThan(at("[1] Allow Once"));
  }
  expect(lines().join("\n")).toContain("+line 3");
});

const long = Array.from({ length: 400 }, (_, index) => `echo ${index}`).join("\n");
const command = {
  toolName: "bash",
  arguments: { command: long },
  sandbox: "sandbox (bubblewrap)",
  grade: "lasting",
} as const;
const { preview: _, ...withoutDiff } = request;

describe.each([4, 5, 8, 11, 12, 24, 50])("a command of 400 lines in %s rows", (rows) => {
  const asked = () => open({ ...withoutDiff, ...command, preview: undefined } as never, rows);

  test("keeps risk, sandbox and scope in sight", () => {
    const { press, lines } = asked();
    for (const page of [0, 1, 2, 3]) {
      if (page > 0) press(pageDown);
      const drawn = lines();
      expect(drawn.length).toBeLessThanOrEqual(rows);
      if (rows > 4) expect(drawn.join("\n")).toMatch(/HIGH: cannot be undone|Careful/);
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
  for (const text of ["it changes", "Answers 2 and 3 cover", "+line 59"]) {
    expect([...seen].join("\n")).toContain(text);
  }
});

const covers = "every edit of ordinary files of this workspace, by any tool (undo has the old content)";
const paths = [
  { path: "a.txt", access: "read" },
  { path: "a.txt", access: "write" },
] as const;

describe.each([60, 36])("an edit in %s columns", (width) => {
  test.each([4, 5, 6, 8, 10])("says in %s rows what the answers cover, or which key shows it", (rows) => {
    const { lines } = open({ covers, paths }, rows);
    const drawn = lines(width);
    expect(drawn.length).toBeLessThanOrEqual(rows);
    const text = drawn.join(" ").replace(/\s+/g, " ");
    expect(text).toMatch(
      /PgDn: (?:files, and )?what 2 and 3 cover|PgDn: more|2 and 3 cover, in this workspace: every edit/,
    );
    expect(text).toContain("can be undone here");
  });

  test.each([12, 16, 24, 40])(
    "says beside answer 2 in %s rows what it covers, and Tab shows all facts",
    (rows) => {
      const { lines, press } = open({ covers, paths }, rows);
      expect(lines(width).join(" ")).toMatch(
        /Tab: more.*\[2\] Allow in this Session: every .*\[3\] Allow and Remember in/,
      );
      press("\t", ...Array.from({ length: 70 }, () => pageDown));
      const text = lines(width).join(" ").replace(/\s+/g, " ");
      expect(text).toContain(`Answers 2 and 3 cover, in this workspace: ${covers}`);
      expect(press("\t")).toEqual([]);
      expect(lines(width).join(" ")).not.toContain("Answers 2 and 3 cover");
    },
  );
});

describe("a change of three lines with what is around it, in 23 rows", () => {
  const around = (from: number) => [0, 1, 2].map((index) => ` line ${from + index}`);
  const changed = (sign: string) => [4, 5, 6].map((index) => `${sign}line ${index}`);
  const hunk = [
    "--- a/a.txt",
    "+++ b/a.txt",
    "@@ -1,9 +1,9 @@",
    ...around(1),
    ...changed("-"),
    ...changed("+"),
    ...around(7),
  ];
  const edit = { preview: `${hunk.join("\n")}\n`, covers, paths, toolName: "edit_file" } as const;

  test.each([
    [[], 1],
    [["protected:x"], 1],
  ] as const)("needs one press, also with a warning: %j", (ids, presses) => {
    const concerns = ids.map((id) => ({ id, reason: `"a.txt" is protected (${id}): programs obey it` }));
    expect(open({ ...edit, concerns }, 23).press(...Array.from({ length: presses }, () => "1"))).toEqual([
      "once",
    ]);
  });

  test("says what will happen first, then one line of facts", () => {
    const drawn = open(edit, 23).lines();
    const facts = drawn.findIndex((line) => line.includes("Tab: more"));
    expect(drawn.findLastIndex((line) => /line 9/.test(line))).toBe(facts - 1);
    expect(drawn[facts + 1]).toContain("[1] Allow Once");
  });
});

test("a digit and Tab right after it: Tab shows more, and nothing is answered", () => {
  expect(open({}, 30).press("\t", "\t")).toEqual([]);
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

describe("a question with a wider scope", () => {
  const wider = { covers: 'any "npm test ...", as long as x', begins: "npm test" };
  const asked = (rows: number, more: Partial<PermissionRequest> = {}) =>
    open({ toolName: "bash", arguments: { command: "npm test" }, preview: "", wider, ...more }, rows);

  test.each([10, 23])("offers it as 5 and 6 in %s rows, and 4 still denies", (rows) => {
    expect(asked(rows).press("5")).toEqual([{ answer: "session", wider: true }]);
    expect(asked(rows).press("6")).toEqual([{ answer: "remember", wider: true }]);
    expect(asked(rows).press("2")).toEqual(["session"]);
    expect(asked(rows).press("4", "\r")).toEqual(["deny"]);
    expect(asked(rows).press("7")).toEqual([]);
    expect(asked(rows).press("\u001b[A", "\r", "\r")).toEqual(["deny"]);
    expect(asked(rows).press("\u001b[A", "\u001b[A", "\r")).toEqual([{ answer: "remember", wider: true }]);
    expect(asked(rows).lines().join(" ")).toMatch(/1\D.*2\D.*3\D.*5\D.*6\D.*4\]? Deny/);
  });

  test("says what it covers and what still asks", () => {
    expect(asked(23).lines().join("\n")).toMatch(
      /\[5\] Session: any npm test \.\.\.; redirections, other programs, network still ask/,
    );
    const { press, lines } = asked(23);
    press("\t");
    expect(lines().join("\n")).toContain('Answers 5 and 6 cover, in this workspace: any "npm test ..."');
  });

  test("is offered where no other answer covers more than the call", () => {
    expect(asked(23, { answers: once }).press("5")).toEqual([{ answer: "session", wider: true }]);
    expect(asked(23, { answers: once }).press("2")).toEqual([]);
  });

  test("5 and 6 answer nothing without it", () => {
    expect(open({ preview: "+a" }, 23).press("5")).toEqual([]);
  });
});
