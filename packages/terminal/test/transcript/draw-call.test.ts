/** Checks what a folded call shows: the change to a file, the end of a command's output. */
import type { CallItem, ToolResult } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { createTheme } from "../../src/theme/theme.ts";
import { callLines } from "../../src/transcript/draw-call.ts";

const theme = createTheme("none", {});

function finished(data: string | null, more: Partial<ToolResult> = {}): ToolResult {
  const bytes = Buffer.byteLength(data ?? "");
  const metadata = { execution_time_ms: 20, data_size_bytes: bytes, timestamp: 0 };
  return { success: true, data, error_message: null, error_type: "none", metadata, ...more };
}

function drawn(item: Pick<CallItem, "toolName" | "arguments"> & Partial<CallItem>): readonly string[] {
  const whole: CallItem = {
    key: "k",
    kind: "call",
    callId: "c",
    state: "done",
    progress: "",
    notes: [],
    ...item,
  };
  return callLines(whole, 80, { theme, opened: false, rawCalls: false });
}

function rows(count: number, row: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => row(at + 1)).join("\n");
}

describe("a finished edit", () => {
  const edit = { toolName: "write_file", arguments: { path: "a.txt" }, result: finished("Written.") };

  test("shows its diff, without the header, and how many lines it added and removed", () => {
    const diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n same\n-old\n+new\n+--- more\n";
    expect(drawn({ ...edit, diff })).toEqual([
      "✓ write_file a.txt · +2 -1 · 20 ms",
      "    @@ -1,2 +1,3 @@",
      "     same",
      "    -old",
      "    +new",
      "    +--- more",
    ]);
  });

  test("shows at most twelve lines of it", () => {
    const diff = `--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,30 @@\n${rows(30, (at) => `+row ${at}`)}\n`;
    const lines = drawn({ ...edit, diff });
    expect(lines).toHaveLength(14);
    expect(lines.at(-1)).toBe("    … 19 more lines · Ctrl+O opens");
  });

  test("shows no diff when it failed", () => {
    const result = finished(null, { success: false, error_type: "io_error", error_message: "disk full" });
    expect(drawn({ ...edit, diff: "@@ -1 +1 @@\n-a\n+b\n", result }).join("\n")).not.toContain("@@");
  });

  test("cleans the diff", () => {
    expect(drawn({ ...edit, diff: "@@ -1 +1 @@\n-a\n+\u001b[2Jb\u202e\n" }).at(-1)).toBe(
      "    +\\x1b[2Jb\\u202e",
    );
  });
});

describe("a finished command", () => {
  const command = { toolName: "bash", arguments: { command: "npm test" } };

  test("shows its notes, each in at most two lines", () => {
    const notes = ["the sandbox closes the network", "word ".repeat(60), "a third one"];
    const lines = drawn({ ...command, result: finished("exit code: 7", { notes }) });
    expect(lines.slice(1)).toEqual([
      "    note: the sandbox closes the network",
      expect.stringMatching(/^ {4}note: word/),
      expect.stringMatching(/word…$/),
    ]);
  });

  test("shows its last five lines", () => {
    const result = finished(`${rows(8, (at) => `row ${at}`)}\nexit code: 0`);
    expect(drawn({ ...command, result })).toEqual([
      "✓ bash npm test · 8 lines, 47 B · 20 ms",
      "    … 3 more lines · Ctrl+O opens",
      ...["row 4", "row 5", "row 6", "row 7", "row 8"].map((row) => `    ${row}`),
    ]);
  });

  test("of whose output only a part is shown tells the size of the whole", () => {
    const part = "[1288895 bytes; the whole output is in .x/out: read_file reads it by offset and limit]";
    const result = finished(`${rows(8, (at) => `row ${at}`)}\n${part}\nexit code: 0`);
    expect(drawn({ ...command, result })[0]).toBe("✓ bash npm test · 1.3 MB, shown in part · 20 ms");
  });

  test("that exits with another code than 0 shows it, and more lines", () => {
    const result = finished(`${rows(20, (at) => `row ${at}`)}\nexit code: 137 (SIGKILL)`);
    const lines = drawn({ ...command, result });
    expect(lines[0]).toBe("✗ bash npm test · exit code: 137 (SIGKILL) · 20 lines, 130 B · 20 ms");
    expect(lines.slice(1, 3)).toEqual(["    … 8 more lines · Ctrl+O opens", "    row 9"]);
    expect(lines).toHaveLength(14);
  });

  test("that began in the background has not failed", () => {
    const result = finished("job-1 runs in the background.");
    expect(drawn({ ...command, result })[0]).toBe("✓ bash npm test · 1 line, 29 B · 20 ms");
  });

  test("that met its time limit shows why, and what it printed", () => {
    const result = finished("row 1", {
      success: false,
      error_type: "timeout",
      error_message: "It took too long.",
    });
    expect(drawn({ ...command, result, why: "It took too long." })).toEqual([
      "✗ bash npm test timeout",
      "    It took too long.",
      "    row 1",
    ]);
  });

  test("without output shows one line", () => {
    expect(drawn({ ...command, result: finished("exit code: 0") })).toHaveLength(1);
  });

  test.each([
    ["a progress bar", "10%\r50%\r100%\r\nexit code: 0", "    100%"],
    ["control sequences", "\u001b]0;title\u0007a\u001b[2J\nexit code: 0", "    ]0;titlea[2J"],
  ])("cleans %s", (_what, data, expected) => {
    expect(drawn({ ...command, result: finished(data) }).at(-1)).toBe(expected);
  });
});

test("a call of another tool shows its size only", () => {
  const result = finished("a.txt\nb.txt");
  expect(drawn({ toolName: "ls", arguments: { path: "." }, result })).toHaveLength(1);
});

test.each([
  ["denied by the rule user:1: no pushes", "denied by the rule user:1: no pushes"],
  ["you denied it: use\n\u001b[2Janother file", "you denied it: use \\x1b[2Janother file"],
])("a call that failed shows why in words for the person, not what the model is told: %j", (why, shown) => {
  const error_message = "denied. Do not try it again in another form";
  const result = finished(null, { success: false, error_type: "permission_denied", error_message });
  const lines = drawn({ toolName: "ls", arguments: {}, result, why }).slice(1);
  expect(lines.map((line) => line.trim()).join(" ")).toBe(shown);
});

test("the answer to a question of the model is shown", () => {
  const call = { toolName: "ask_person", arguments: { question: "Which?" } };
  expect(drawn({ ...call, result: finished("the \u001b[2Jred one") })[1]).toBe(
    "    answer: the \\x1b[2Jred one",
  );
});
