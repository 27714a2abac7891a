/** Checks the lines that the line chat prints for items that are not text. */
import {
  createTimeline,
  type EventBody,
  type PermissionRequest,
  type ToolResult,
} from "@localharness/protocol";
import { expect, test } from "vitest";
import { createPaint } from "../../src/terminal/output.ts";
import { changeLine } from "../../src/terminal/tool-lines.ts";

/** Returns the lines for the events, in order. */
function lines(bodies: readonly EventBody[]): readonly string[] {
  const printed: string[] = [];
  const timeline = createTimeline((change) => {
    const line = changeLine(change, createPaint(false));
    if (line !== undefined) printed.push(line);
  });
  bodies.forEach((body, at) => {
    timeline.take({ sessionId: "s", turnId: "t", seq: at + 1, ...body });
  });
  return printed;
}

function ended(toolName: string, data: string | null, more: Partial<ToolResult> = {}): EventBody {
  const metadata = { execution_time_ms: 3, data_size_bytes: 1, timestamp: 0 };
  const good = { success: true, data, error_message: null, error_type: "none", metadata } as const;
  return { type: "tool-result", callId: "c", toolName, result: { ...good, ...more }, display: "" };
}

const start: EventBody = { type: "tool-start", callId: "c", toolName: "bash", arguments: { command: "ls" } };
const refused = { success: false, error_type: "permission_denied", error_message: "denied" } as const;
const request: PermissionRequest = {
  requestId: "q",
  callId: "c",
  toolName: "bash",
  arguments: {},
  argumentsHash: "",
  risk: "low",
  rule: "",
  reason: "",
  covers: "",
  concerns: [],
};

test.each<[what: string, events: readonly EventBody[], expected: readonly string[]]>([
  ["a command", [ended("bash", "out\nexit code: 0")], ["  ✓ bash out … 1 more line (3 ms)"]],
  [
    "a command that failed",
    [ended("bash", "no such file\nexit code: 1")],
    ["  ✗ bash exit code: 1: no such file … 1 more line (3 ms)"],
  ],
  [
    "a command that was killed",
    [ended("bash", "x\nkilled by SIGKILL")],
    ["  ✗ bash killed by SIGKILL: x … 1 more line (3 ms)"],
  ],
  [
    "a file that ends like a command",
    [ended("read_file", "1: x\nexit code: 1")],
    ["  ✓ read_file 1: x … 1 more line (3 ms)"],
  ],
  ["a refusal", [ended("bash", null, refused)], ["  ✗ bash permission_denied: denied"]],
  [
    "a refusal with words for the person",
    [{ ...ended("bash", null, refused), why: "you denied it" } as EventBody],
    ["  ✗ bash permission_denied: you denied it"],
  ],
  [
    "a call from its beginning, with a question before and one while it runs",
    [
      { type: "tool-call-start", index: 0, id: "c", name: "bash" },
      { type: "tool-call-end", index: 0, id: "c", name: "bash", arguments: {} },
      { type: "permission-request", request },
      { type: "permission-answer", requestId: "q", answer: "once", by: "person" },
      start,
      { type: "tool-progress", callId: "c", text: "row" },
      { type: "tool-progress", callId: "c", text: "reads a.ts", agent: "helper" },
      { type: "permission-request", request: { ...request, requestId: "r" } },
      { type: "permission-answer", requestId: "r", answer: "once", by: "person" },
      ended("bash", "done"),
    ],
    ['→ bash {"command": "ls"}', "    helper reads a.ts", "  ✓ bash done (3 ms)"],
  ],
  [
    "a call that cannot be read",
    [{ type: "tool-call-error", index: 0, raw: "{", reason: "incomplete", message: "cut" }],
    ["! unreadable tool call (incomplete): cut"],
  ],
  [
    "notices and a retry",
    [
      { type: "notice", level: "warning", code: "a", message: "careful" },
      { type: "notice", level: "info", code: "b", message: "by the way" },
      { type: "model-retry", attempt: 1, waitMs: 0, message: "once more" },
    ],
    ["! careful", "· by the way", "… once more"],
  ],
  [
    "a turn that failed",
    [{ type: "turn-end", reason: "error", message: "no server", denied: 0 }],
    ["error: no server"],
  ],
  ["a turn that ended", [{ type: "turn-end", reason: "done", denied: 0 }], []],
])("%s", (_what, events, expected) => {
  expect(lines(events)).toEqual(expected);
});

test.each([
  ["a notice", { type: "notice", level: "warning", message: "one\n! two" }, "! one\n  ! two"],
  ["the end of a turn", { type: "turn-end", reason: "error", message: "one\ntwo" }, "error: one\n  two"],
  ["a retry", { type: "model-retry", attempt: 1, waitMs: 0, message: "one\ntwo" }, "… one two"],
])(
  "the line ends in %s are no escapes, and no line of it looks like another message",
  (_what, event, printed) => {
    expect(lines([event as EventBody])).toEqual([printed]);
  },
);
