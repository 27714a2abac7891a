/** Checks what the working line says a turn is doing, and which call an answer belongs to. */
import type { EventBody, PermissionRequest, ToolResult } from "@localharness/protocol";
import { expect, test } from "vitest";
import { createTheme } from "../../src/theme/theme.ts";
import { createTranscript, type DrawnTranscript } from "../../src/transcript/draw-timeline.ts";
import { aRequest } from "../a-request.ts";

const begin: EventBody = { type: "iteration-start", iteration: 1 };
const progress: EventBody = {
  type: "prompt-progress",
  totalTokens: 12_000,
  cachedTokens: 800,
  doneTokens: 3_200,
};
const denied: ToolResult = {
  success: false,
  data: null,
  error_message: "denied",
  error_type: "permission_denied",
  metadata: { execution_time_ms: 0, data_size_bytes: 0, timestamp: 0 },
};
const retry: EventBody = { type: "model-retry", attempt: 1, waitMs: 0, message: "again" };

test.each<{ after: EventBody[]; doing: string | undefined }>([
  { after: [], doing: undefined },
  { after: [begin], doing: "waiting for the model" },
  { after: [begin, progress], doing: "reading the prompt: 3,200 of 12,000 tokens, 800 from cache" },
  { after: [begin, { type: "model-phase", phase: "loading", atMs: 2 }], doing: "the server loads the model" },
  {
    after: [begin, { type: "model-phase", phase: "reading", atMs: 2, tokens: 9_000, expectedMs: 60_000 }],
    doing: "reading the prompt: about 0 % of 9,000 tokens",
  },
  {
    after: [
      begin,
      progress,
      { type: "model-phase", phase: "writing", atMs: 9 },
      { type: "text-delta", text: "Yes." },
    ],
    doing: "answering",
  },
  { after: [begin, progress, retry], doing: "waiting for the model" },
  { after: [begin, { ...retry, waitMs: 40_000 }], doing: "waiting to ask the model again" },
  { after: [begin, progress, { type: "reasoning-delta", text: "Hm." }], doing: "thinking, 3 characters" },
  { after: [begin, progress, { type: "text-delta", text: "Yes." }], doing: "answering" },
  { after: [begin, progress, { type: "model-end", stopReason: "stop" }], doing: undefined },
])("$doing", ({ after, doing }) => {
  expect(transcriptAfter(after).doing()).toBe(doing);
});

test("the note of a denial belongs to the call that was asked about", () => {
  const transcript = transcriptAfter([
    { type: "permission-request", request: requestFor("first") },
    { type: "permission-request", request: requestFor("second") },
    {
      type: "permission-answer",
      requestId: "question of first",
      answer: "deny",
      by: "person",
      note: "not this",
    },
    { type: "tool-result", callId: "first", toolName: "bash", result: denied, display: "" },
    { type: "tool-result", callId: "second", toolName: "bash", result: denied, display: "" },
  ]);
  const notes = transcript.items().map((item) => item.kind === "call" && [item.callId, item.note]);
  expect(notes).toEqual([
    ["first", "not this"],
    ["second", undefined],
  ]);
});

function transcriptAfter(events: readonly EventBody[]): DrawnTranscript {
  const transcript = createTranscript({
    theme: () => createTheme("none", {}),
    rawCalls: () => false,
    freeze: () => undefined,
    now: () => 0,
  });
  events.forEach((body, at) => {
    transcript.take({ sessionId: "s", turnId: "t", seq: at + 1, ...body });
  });
  return transcript;
}

function requestFor(callId: string): PermissionRequest {
  return { ...aRequest, requestId: `question of ${callId}`, callId, arguments: {} };
}
