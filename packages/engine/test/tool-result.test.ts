/** Results of calls, and their display messages. */
import { displayText, refusal, type ToolOutput, toResult } from "@localharness/engine";
import type { ToolResult } from "@localharness/protocol";
import { describe, expect, test } from "vitest";

const clock = { now: () => 1_705_680_000_000, monotonic: () => 0 };
const metadata = { execution_time_ms: 3, data_size_bytes: 0, timestamp: 1_705_680_000_000 };

describe("ZodoLlama: a structured ToolResult with success, data, error_message, error_type and metadata", () => {
  test.each<readonly [string, ToolOutput, Partial<ToolResult>]>([
    [
      "a success",
      { ok: true, data: "abc" },
      { success: true, data: "abc", metadata: { ...metadata, data_size_bytes: 3 } },
    ],
    ["a success without text", { ok: true, data: "" }, { success: true, data: "" }],
    [
      "bytes, not characters",
      { ok: true, data: "é🦊" },
      { success: true, data: "é🦊", metadata: { ...metadata, data_size_bytes: 6 } },
    ],
    [
      "a failure",
      { ok: false, errorType: "not_found", message: "File not found: a" },
      { error_message: "File not found: a", error_type: "not_found" },
    ],
    [
      "a failure that kept its output",
      { ok: false, errorType: "io_error", message: "exit 1", data: "log" },
      {
        data: "log",
        error_message: "exit 1",
        error_type: "io_error",
        metadata: { ...metadata, data_size_bytes: 3 },
      },
    ],
    [
      "notes",
      { ok: true, data: "", notes: ["of the tool"] },
      { success: true, data: "", notes: ["of the engine", "of the tool"] },
    ],
  ])("of %s", (_title, output, expected) => {
    const notes = output.notes === undefined ? [] : ["of the engine"];
    const base = { success: false, data: null, error_message: null, error_type: "none", metadata };
    expect(toResult(output, clock, 3.4, notes)).toEqual({ ...base, ...expected });
  });

  test("has exactly the agreed keys, in their order, as JSON", () => {
    expect(JSON.stringify(toResult({ ok: true, data: "file contents" }, clock, 3))).toBe(
      '{"success":true,"data":"file contents","error_message":null,"error_type":"none","metadata":{"execution_time_ms":3,"data_size_bytes":13,"timestamp":1705680000000}}',
    );
  });

  test("never has a negative time", () => {
    expect(toResult({ ok: true, data: "" }, clock, -5).metadata.execution_time_ms).toBe(0);
  });

  test("of a call that never ran has no time and no data", () => {
    expect(refusal("permission_denied", "no", clock)).toEqual({
      success: false,
      data: null,
      error_message: "no",
      error_type: "permission_denied",
      metadata: { ...metadata, execution_time_ms: 0 },
    });
  });
});

describe("ZodoLlama: the display message for people", () => {
  const shown = (output: ToolOutput, notes?: readonly string[]) =>
    displayText("ls", toResult(output, clock, 5, notes)).split("\n");
  test.each<readonly [string, readonly string[], readonly string[]]>([
    [
      "a success",
      shown({ ok: true, data: "a\nb" }),
      ["[Tool: ls]", "Status: ✅ SUCCESS", "Result: a", "b", "Execution Time: 5ms"],
    ],
    ["silence", shown({ ok: true, data: "" }), ["[Tool: ls]", "Status: ✅ SUCCESS", "Execution Time: 5ms"]],
    [
      "a failure",
      shown({ ok: false, errorType: "not_found", message: "no a" }),
      ["[Tool: ls]", "Status: ❌ FAILED (not_found)", "Error: no a", "Execution Time: 5ms"],
    ],
    [
      "notes",
      shown({ ok: true, data: "" }, ["n"]),
      ["[Tool: ls]", "Status: ✅ SUCCESS", "Note: n", "Execution Time: 5ms"],
    ],
    [
      "the beginning of many lines",
      shown({ ok: true, data: "1\n2\n3\n4\n5\n6\n7\n8\n9\n" }),
      [
        "[Tool: ls]",
        "Status: ✅ SUCCESS",
        "Result: 1",
        "2",
        "3",
        "4",
        "5",
        "6",
        "7",
        "8",
        "… (18 characters)",
        "Execution Time: 5ms",
      ],
    ],
  ])("shows %s", (_title, lines, expected) => {
    expect(lines).toEqual(expected);
  });

  test("shows 600 characters of a long line", () => {
    expect(shown({ ok: true, data: "x".repeat(1_000) })[2]).toBe(`Result: ${"x".repeat(600)}`);
  });
});
