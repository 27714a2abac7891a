import type { SessionEvent } from "@localharness/protocol";
import { expect, test } from "vitest";
import { createPaint } from "../../src/terminal/output.ts";
import { eventLine } from "../../src/terminal/tool-lines.ts";

const ended = (toolName: string, data: string) =>
  ({
    type: "tool-result",
    toolName,
    result: { success: true, data, error_message: null, metadata: { execution_time_ms: 3 } },
  }) as unknown as SessionEvent;

test.each([
  ["bash", "out\nexit code: 0", "  ✓ bash out … 1 more line (3 ms)"],
  ["bash", "no such file\nexit code: 1", "  ✗ bash exit code: 1: no such file … 1 more line (3 ms)"],
  ["bash", "x\nkilled by SIGKILL", "  ✗ bash killed by SIGKILL: x … 1 more line (3 ms)"],
  ["read_file", "1: x\nexit code: 1", "  ✓ read_file 1: x … 1 more line (3 ms)"],
])("a result of %s that is %j", (tool, data, line) => {
  expect(eventLine(ended(tool, data), createPaint(false))).toBe(line);
});
