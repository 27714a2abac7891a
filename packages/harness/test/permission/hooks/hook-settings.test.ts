import type { HelperEnd } from "@localharness/processes/helpers/run-helper";
import type { JsonValue } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { checkConfig } from "../../../src/config/config-file.ts";
import { hookVerdict } from "../../../src/permission/hooks/hook-answer.ts";
import { matchesTool } from "../../../src/permission/hooks/hook-settings.ts";

const command = ["/usr/bin/true"];

describe("hooks in config.json", () => {
  test.each<[string, JsonValue]>([
    ["none", []],
    [
      "one with all it may have",
      [{ event: "before-tool", tool: "git_*", command, timeout: 0.5, required: true }],
    ],
    ["a program by its name", [{ event: "turn-end", command: ["notify-send", "done"] }]],
  ])("%s", (_title, hooks) => {
    expect(checkConfig(JSON.stringify({ hooks }))).toEqual({ values: { hooks }, problems: [] });
  });

  test.each<[string, JsonValue]>([
    ["no list", { event: "before-tool", command }],
    ["an unknown event", [{ event: "before", command }]],
    ["an unknown key", [{ event: "before-tool", command, decision: "allow" }]],
    ["no program", [{ event: "before-tool", command: [] }]],
    ["a command line", [{ event: "before-tool", command: "check it" }]],
    ["a program of whatever folder one is in", [{ event: "before-tool", command: ["./check.sh"] }]],
    ["a tool for the end of a turn", [{ event: "turn-end", tool: "bash", command }]],
    ["no time at all", [{ event: "turn-end", command, timeout: 0 }]],
  ])("%s is refused", (_title, hooks) => {
    const { problems } = checkConfig(JSON.stringify({ hooks }));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('"hooks" expects a list such as');
  });
});

test.each([
  ["bash", "bash", true],
  ["bash", "bash2", false],
  ["git_*", "git_status", true],
  ["git_*", "agit_status", false],
  ["*_file", "write_file", true],
  ["*_file", "write_files", false],
  ["*i*_*s", "git_status", true],
  ["a*a", "a", false],
  ["*", "anything", true],
])("the tool %s fits %s: %s", (tool, name, expected) => {
  expect(matchesTool({ event: "before-tool", command, tool }, name)).toBe(expected);
});

describe("what a program said", () => {
  const ended = (code: number, output = "", errors = ""): HelperEnd => ({
    end: { kind: "exited", code },
    durationMs: 1,
    output,
    errors,
  });
  const blocked = (reason: string) => ({ kind: "blocked", reason });
  const own = (fields: object) => JSON.stringify({ hookSpecificOutput: fields });
  const broken = { kind: "failed", problem: "its answer begins with { but is not a JSON object" };

  test.each<[string, string, object]>([
    ["nothing", "", { kind: "passed" }],
    ["a word for the model", " look out \n", { kind: "passed", note: "look out" }],
    ["a note in JSON", '{"note":"n","x":1}', { kind: "passed", note: "n" }],
    ["context for the model", own({ additionalContext: "c" }), { kind: "passed", note: "c" }],
    ["yes, which means nothing", '{"decision":"allow"}', { kind: "passed" }],
    ["no in JSON", '{"decision":"block","reason":"r"}', blocked("r")],
    ["no as others say it", '{"decision":"deny"}', blocked("it gave no reason")],
    ["no to the call", own({ permissionDecision: "deny", permissionDecisionReason: "r" }), blocked("r")],
    ["that the person is to be asked", own({ permissionDecision: "ask" }), blocked("it gave no reason")],
    ["that it goes on no further", '{"continue":false,"stopReason":"r"}', blocked("r")],
    ["broken JSON", '{"decision":', broken],
    ["a line end in the reason", '{"decision":"block","reason":"a\nb"}', broken],
    ["too much", "x".repeat(5_000), { kind: "passed", note: `${"x".repeat(2_000)} [cut]` }],
  ])("%s", (_title, output, expected) => {
    expect(hookVerdict(ended(0, output), "before-tool")).toEqual(expected);
  });

  test.each<[string, HelperEnd, object]>([
    ["exit 2", ended(2, "out", "why\n"), blocked("why")],
    ["exit 2 without errors", ended(2, "out"), blocked("out")],
    [
      "exit 1",
      ended(1, '{"decision":"block"}', "boom\nmore"),
      { kind: "failed", problem: "it ended with 1: boom" },
    ],
    [
      "too late",
      { ...ended(0), end: { kind: "timeout" } },
      { kind: "failed", problem: "it took longer than its time limit" },
    ],
    [
      "not there",
      { ...ended(0), end: { kind: "not-started", code: "ENOENT" } },
      { kind: "absent", problem: "it could not be started (ENOENT)" },
    ],
    ["interrupted", { ...ended(0), end: { kind: "cancelled" } }, { kind: "cancelled" }],
  ])("%s", (_title, end, expected) => {
    expect(hookVerdict(end, "before-tool")).toEqual(expected);
  });

  test("at the end of a turn, that it goes on no further lets it end", () => {
    const end = ended(0, '{"continue":false,"stopReason":"r"}');
    expect(hookVerdict(end, "turn-end")).toEqual({ kind: "passed" });
  });
});
