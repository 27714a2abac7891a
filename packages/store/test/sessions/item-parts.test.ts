/** Checks which parts of a session an export for people has, and in which order. */
import { type EventBody, foldItems, type ToolResult } from "@localharness/protocol";
import { expect, test } from "vitest";
import { itemParts } from "../../src/sessions/export/item-parts.ts";

const image = { mediaType: "image/gif", data: "R0lGODlhAQABAAAAACw=", name: "dot.gif" } as const;
const metadata = { execution_time_ms: 1, data_size_bytes: 2, timestamp: 0 };
const good: ToolResult = { success: true, data: "ok", error_message: null, error_type: "none", metadata };

const written = (id: string): EventBody => {
  return { type: "tool-call-end", index: 0, id, name: "ls", arguments: { path: id } };
};
const result = (callId: string, change: Partial<ToolResult> = {}): EventBody => {
  return { type: "tool-result", callId, toolName: "ls", result: { ...good, ...change }, display: "" };
};
const said = (from: "person" | "harness", content: string): EventBody => ({
  type: "user-message",
  content,
  from,
});

test.each<[what: string, events: readonly EventBody[], parts: readonly string[]]>([
  [
    "a turn",
    [
      { type: "turn-start" },
      said("person", "Look."),
      { type: "iteration-start", iteration: 1 },
      { type: "reasoning-delta", text: "hm" },
      { type: "text-delta", text: "I look." },
      written("a"),
      { ...written("b"), index: 1 } as EventBody,
      { type: "model-end", stopReason: "tool-calls" },
      { type: "notice", level: "info", code: "x", message: "not for the model" },
      result("a"),
      result("b", { success: false, data: "half", error_message: "broke" }),
      { type: "turn-end", reason: "done", denied: 0 },
    ],
    [
      "said person You: Look.",
      "folded model Reasoning: hm",
      "said model Model: I look.",
      'folded model Call of ls: {\n  "path": "a"\n}',
      "folded tool Result of ls: ok",
      'folded model Call of ls: {\n  "path": "b"\n}',
      "folded tool Result of ls: half\nbroke",
    ],
  ],
  [
    "messages that the person did not write",
    [said("harness", "a note"), { type: "user-message", content: "text", from: "file", path: "a.ts" }],
    ["folded harness Note to the model: a note", "folded person Attached file a.ts: text"],
  ],
  [
    "a message with an image",
    [{ type: "user-message", content: "see", from: "person", images: [image] }],
    [expect.stringMatching(/^said person You: see\n.*dot\.gif/)],
  ],
  [
    "a call that cannot be read",
    [{ type: "tool-call-error", index: 0, raw: "{oops", reason: "incomplete", message: "cut" }],
    ["folded model Unreadable call (incomplete): {oops"],
  ],
  [
    "a session that ended while a call was written",
    [
      { type: "text-delta", text: "So" },
      { type: "tool-call-start", index: 0, id: "c", name: "ls" },
    ],
    ["said model Model: So"],
  ],
  [
    "an answer that was interrupted",
    [
      { type: "text-delta", text: "So" },
      { type: "model-error", code: "aborted", message: "", retryable: false },
    ],
    ["said model Model (interrupted): So"],
  ],
  [
    "a result without words",
    [result("c", { data: null })],
    ["folded model Call of ls: {}", `folded tool Result of ls: ${JSON.stringify({ ...good, data: null })}`],
  ],
])("%s", (_what, bodies, expected) => {
  const events = bodies.map((body, at) => ({ sessionId: "s", turnId: "t", seq: at + 1, ...body }));
  const parts = foldItems(events).flatMap(itemParts);
  expect(parts.map(({ kind, who, title, text }) => `${kind} ${who} ${title}: ${text}`)).toEqual(expected);
});
