/** Checks how results of the built-in tools are read. */
import { type CallItem, cutDiffLine } from "@localharness/protocol";
import { expect, test } from "vitest";
import { callView, lookOf, shownArguments, summaryOf } from "../../src/session/call-view.ts";

function call(toolName: string, args: CallItem["arguments"], data: string | null, success = true): CallItem {
  return {
    key: "k",
    kind: "call",
    callId: "c",
    toolName,
    arguments: args,
    state: "done",
    progress: "",
    notes: [],
    result: {
      success,
      data,
      error_message: success ? null : "wrong",
      error_type: success ? "none" : "io_error",
      metadata: { execution_time_ms: 1, data_size_bytes: 1, timestamp: 0 },
    },
  };
}

test("the result of bash is a terminal with the end of the command apart", () => {
  expect(callView(call("bash", { command: "npm test" }, "line\nexit code: 1"))).toEqual({
    kind: "terminal",
    command: "npm test",
    output: "line",
    end: "exit code: 1",
  });
});

test("the result of read_file has numbered lines and the words after them", () => {
  expect(
    callView(call("read_file", { path: "a" }, "3: three\n4: \n[showing 3-4 of 9, continue with offset=5]")),
  ).toEqual({
    kind: "file",
    lines: [
      { number: 3, text: "three" },
      { number: 4, text: "" },
    ],
    rest: "[showing 3-4 of 9, continue with offset=5]",
  });
});

test("the result of ls is a table", () => {
  const data =
    "TYPE       SIZE  MODIFIED          NAME\nFILE        1 B  2026-01-31 10:03  a b.txt\nDIR           -  2026-01-31 10:01  src/\n\n1 file, 1 directory";
  expect(callView(call("ls", {}, data))).toEqual({
    kind: "list",
    rows: [
      { type: "FILE", size: "1 B", modified: "2026-01-31 10:03", name: "a b.txt" },
      { type: "DIR", size: "-", modified: "2026-01-31 10:01", name: "src/" },
    ],
    summary: "1 file, 1 directory",
  });
});

test("the result of grep_search is grouped by file", () => {
  const data = '3 matches in 2 files for "x"\na.ts:1: x\na.ts:9: x y\nb.ts:2: x';
  expect(callView(call("grep_search", { pattern: "x" }, data))).toMatchObject({
    kind: "matches",
    files: [
      {
        path: "a.ts",
        lines: [
          { number: 1, text: "x" },
          { number: 9, text: "x y" },
        ],
      },
      { path: "b.ts", lines: [{ number: 2, text: "x" }] },
    ],
  });
});

test.each(["ls", "grep_search", "read_file", "write_file"])("unexpected data of %s is text", (tool) => {
  expect(callView(call(tool, {}, "something else"))).toEqual({ kind: "text", text: "something else" });
});

test.each([
  [call("bash", {}, "x\nexit code: 0"), "done"],
  [call("bash", {}, "x\nexit code: 2"), "failed"],
  [call("ls", {}, null, false), "failed"],
  [{ ...call("ls", {}, null, false), answer: "deny" as const }, "denied"],
  [{ ...call("ls", {}, null), state: "asked" as const }, "asked"],
])("%# is marked as %s", (item, look) => {
  expect(lookOf(item)).toBe(look);
});

test.each([
  [{ path: "a", content: "b" }, "a"],
  [{ other: "z" }, "z"],
  ['{"command":"ls -l"}', "ls -l"],
  ["not json", ""],
])("the summary of %j is %j", (args, summary) => {
  expect(summaryOf({ arguments: args })).toBe(summary);
});

const diff = "--- /dev/null\n+++ b/a b\n@@ -0,0 +1,2 @@\n+one\n+and two\n";

test.each<
  readonly [what: string, args: CallItem["arguments"], diff: string | undefined, shown: readonly string[]]
>([
  [
    "no diff",
    { path: "a b", content: "one\nand two" },
    undefined,
    ["path: a b", "content:\n  one\n  and two"],
  ],
  [
    "a whole diff",
    { path: "a b", content: "one\nand two" },
    diff,
    ["path: a b", "content: 11 characters, in the diff below"],
  ],
  [
    "a text that a changed line has",
    { path: "a b", text: "and two", other: "and three" },
    diff,
    ["path: a b", "other: and three"],
  ],
  [
    "a cut diff",
    { content: "one\nand two\nthree" },
    diff + cutDiffLine(1),
    ["content:\n  one\n  and two\n  three"],
  ],
  ["values that are no texts", { all: true, lines: [1, 2] }, diff, ["all: true", "lines: [1,2]"]],
  ["hidden characters", { name: "a\u202eb" }, undefined, ["name: a\\u202eb"]],
])("the arguments beside %s", (_what, args, given, shown) => {
  const { diff: _none, ...item } = call("write_file", args, "");
  expect(shownArguments({ ...item, ...(given === undefined ? {} : { diff: given }) })).toEqual(shown);
});

test("a long argument is cut, and the ones after it are shown", () => {
  const [content = "", path] = shownArguments({ arguments: { content: "x".repeat(100_000), path: "a" } });
  expect([content.length, path]).toEqual([32_000, "path: a"]);
});
