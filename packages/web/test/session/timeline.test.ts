/** Checks the items that events become. */
import type { EventBody, PermissionRequest, SessionEvent, ToolResult } from "@localharness/protocol";
import { expect, test } from "vitest";
import type { Item } from "../../src/session/item.ts";
import { createTimeline } from "../../src/session/timeline.ts";

function events(bodies: readonly EventBody[], from = 1): readonly SessionEvent[] {
  return bodies.map((body, at) => ({ sessionId: "s", turnId: "t", seq: from + at, ...body }));
}

const result = (change: Partial<ToolResult> = {}): ToolResult => ({
  success: true,
  data: "ok",
  error_message: null,
  error_type: "none",
  metadata: { execution_time_ms: 5, data_size_bytes: 2, timestamp: 0 },
  ...change,
});
const request: PermissionRequest = {
  requestId: "q",
  callId: "c",
  toolName: "bash",
  arguments: { command: "ls" },
  argumentsHash: "",
  risk: "high",
  rule: "risk:high",
  reason: "",
  covers: "",
  concerns: [],
  preview: "@@ -1 +1 @@\n-a\n+b\n",
};
const call: readonly EventBody[] = [
  { type: "iteration-start", iteration: 1 },
  { type: "text-delta", text: "I " },
  { type: "text-delta", text: "look." },
  { type: "tool-call-start", index: 0, id: "c", name: "bash" },
  { type: "tool-call-end", index: 0, id: "c", name: "bash", arguments: { command: "ls" } },
  { type: "model-end", stopReason: "tool-calls" },
];

function fold(bodies: readonly EventBody[]): readonly Item[] {
  const timeline = createTimeline();
  for (const event of events(bodies)) timeline.take(event);
  return timeline.items();
}

const brief = (items: readonly Item[]) =>
  items.map((item) => {
    if (item.kind === "call") return `call ${item.toolName} ${item.state}`;
    return "text" in item ? `${item.kind} ${item.text}` : item.kind;
  });

test.each<[string, readonly EventBody[], readonly string[]]>([
  ["text and a call", call, ["answer I look.", "call bash waiting"]],
  [
    "a call that is being written",
    [{ type: "tool-call-start", index: 0, id: "c", name: "ls" }],
    ["call ls writing"],
  ],
  [
    "a call that was none",
    [
      { type: "tool-call-start", index: 0, id: "c", name: "ls" },
      { type: "tool-call-withdrawn", index: 0 },
      { type: "text-delta", text: "only text" },
    ],
    ["answer only text"],
  ],
  [
    "a call that cannot be read",
    [{ type: "tool-call-error", index: 0, raw: "{", reason: "incomplete", message: "cut off" }],
    ["notice A tool call that cannot be read (incomplete): cut off"],
  ],
  [
    "an answer that begins again",
    [
      { type: "iteration-start", iteration: 1 },
      { type: "text-delta", text: "void" },
      { type: "answer-restart" },
      { type: "text-delta", text: "new" },
    ],
    ["answer new"],
  ],
  [
    "notices while an answer is written that begins again",
    [
      { type: "iteration-start", iteration: 1 },
      { type: "reasoning-delta", text: "hm" },
      { type: "model-retry", attempt: 1, waitMs: 0, message: "once more" },
      { type: "text-delta", text: "void" },
      { type: "tool-call-error", index: 0, raw: "{", reason: "incomplete", message: "cut off" },
      { type: "notice", level: "info", code: "read", message: "all read" },
      { type: "answer-restart" },
      { type: "text-delta", text: "new" },
    ],
    ["notice once more", "notice all read", "answer new"],
  ],
  [
    "reasoning before text",
    [
      { type: "reasoning-delta", text: "hm" },
      { type: "text-delta", text: "yes" },
    ],
    ["thought hm", "answer yes"],
  ],
  [
    "a result without a known call",
    [{ type: "tool-result", callId: "x", toolName: "ls", result: result(), display: "" }],
    ["call ls done"],
  ],
])("%s", (_, bodies, expected) => {
  expect(brief(fold(bodies))).toEqual(expected);
});

test("a call goes from its question over its answer to its result", () => {
  const timeline = createTimeline();
  const take = (bodies: readonly EventBody[], from: number) => {
    for (const event of events(bodies, from)) timeline.take(event);
  };
  take(call, 1);
  take([{ type: "permission-request", request }], 7);
  expect(timeline.questions()).toEqual([request]);
  expect(timeline.items().at(-1)).toMatchObject({ state: "asked", diff: request.preview });
  timeline.answered("q", "Firefox on Linux");
  take([{ type: "permission-answer", requestId: "q", answer: "once", by: "person" }], 8);
  expect(timeline.questions()).toEqual([]);
  take([{ type: "tool-start", callId: "c", toolName: "bash", arguments: { command: "ls" } }], 9);
  take([{ type: "tool-progress", callId: "c", text: "half" }], 10);
  expect(timeline.items().at(-1)).toMatchObject({ state: "running", progress: "half" });
  take([{ type: "tool-result", callId: "c", toolName: "bash", result: result(), display: "" }], 11);
  expect(timeline.items().at(-1)).toMatchObject({
    state: "done",
    answer: "once",
    answeredBy: "Firefox on Linux",
    progress: "",
  });
});

test("the diff of a call that was denied is not shown as its change", () => {
  const denied = result({ success: false, error_type: "permission_denied" });
  const items = fold([
    ...call,
    { type: "permission-request", request },
    { type: "permission-answer", requestId: "q", answer: "deny", by: "person", note: "no" },
    { type: "tool-result", callId: "c", toolName: "bash", result: denied, display: "" },
  ]);
  expect(items.at(-1)).toMatchObject({ answer: "deny", note: "no" });
  expect(items.at(-1)).not.toHaveProperty("diff");
});

test("a command of the person stays when the answer begins again", () => {
  const timeline = createTimeline();
  const [begin, text, again, rest] = events([
    { type: "iteration-start", iteration: 1 },
    { type: "text-delta", text: "void" },
    { type: "answer-restart" },
    { type: "text-delta", text: "new" },
  ]) as [SessionEvent, SessionEvent, SessionEvent, SessionEvent];
  const command = { key: "command:1", kind: "command", command: "ls", output: "" } as const;
  for (const event of [begin, text]) timeline.take(event);
  timeline.put({ ...command, running: false });
  for (const event of [again, rest]) timeline.take(event);
  timeline.put({ ...command, running: false, exitCode: 0 });
  expect(timeline.items()).toMatchObject([{ kind: "command", exitCode: 0 }, { text: "new" }]);
});

test("a list that was shown never changes", () => {
  const timeline = createTimeline();
  const [first, second] = events([
    { type: "text-delta", text: "a" },
    { type: "text-delta", text: "b" },
  ]);
  if (first !== undefined) timeline.take(first);
  const shown = timeline.items();
  if (second !== undefined) timeline.take(second);
  expect(brief(shown)).toEqual(["answer a"]);
  expect(brief(timeline.items())).toEqual(["answer ab"]);
  expect(timeline.items()).toBe(timeline.items());
});

test("the end of a turn closes its questions and counts its changes", () => {
  const timeline = createTimeline();
  const bodies: readonly EventBody[] = [
    { type: "turn-start" },
    ...call,
    { type: "permission-request", request },
    { type: "tool-result", callId: "c", toolName: "bash", result: result(), display: "", diff: "@@" },
    { type: "turn-end", reason: "interrupted", denied: 0 },
  ];
  for (const event of events(bodies)) timeline.take(event);
  expect(timeline.questions()).toEqual([]);
  expect(timeline.items().at(-1)).toMatchObject({ kind: "end", reason: "interrupted", calls: 1, changes: 1 });
});
