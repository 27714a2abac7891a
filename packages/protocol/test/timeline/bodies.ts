/** Makes the events of which the tests of the timeline put sessions together. */
import type { EventBody, PermissionRequest, SessionEvent, ToolResult } from "@localharness/protocol";

export function number(bodies: readonly EventBody[], from = 1): readonly SessionEvent[] {
  return bodies.map((body, at) => ({ sessionId: "s", turnId: "t", seq: from + at, ...body }));
}

export const result: ToolResult = {
  success: true,
  data: "ok",
  error_message: null,
  error_type: "none",
  metadata: { execution_time_ms: 5, data_size_bytes: 2, timestamp: 0 },
};
export const failed: ToolResult = { ...result, success: false, error_type: "permission_denied" };

export const ask = (requestId: string, callId: string, more: Partial<PermissionRequest> = {}): EventBody => {
  const args = { command: "ls" };
  const base = { requestId, callId, toolName: "bash", arguments: args, argumentsHash: "" };
  const why = { risk: "high", rule: "risk:high", reason: "", covers: "", concerns: [] } as const;
  return { type: "permission-request", request: { ...base, ...why, ...more } };
};
export const answer = (requestId: string, more: object = {}): EventBody => ({
  type: "permission-answer",
  requestId,
  answer: "once",
  by: "person",
  ...more,
});
export const text = (said: string): EventBody => ({ type: "text-delta", text: said });
export const thought = (said: string): EventBody => ({ type: "reasoning-delta", text: said });
export const begin = (id = "c", index = 0): EventBody => ({
  type: "tool-call-start",
  index,
  id,
  name: "bash",
});
export const written = (id = "c", index = 0): EventBody => {
  return { type: "tool-call-end", index, id, name: "bash", arguments: { command: "ls" } };
};
export const start = (callId = "c"): EventBody => ({
  type: "tool-start",
  callId,
  toolName: "bash",
  arguments: { command: "ls" },
});
export const done = (callId = "c", more: object = {}): EventBody => ({
  type: "tool-result",
  callId,
  toolName: "bash",
  result,
  display: "",
  ...more,
});
export const progress = (said: string, agent?: string): EventBody => {
  return { type: "tool-progress", callId: "c", text: said, ...(agent === undefined ? {} : { agent }) };
};
export const unreadable: EventBody = {
  type: "tool-call-error",
  index: 0,
  raw: "{",
  reason: "incomplete",
  message: "cut off",
};
export const iteration: EventBody = { type: "iteration-start", iteration: 1 };
export const end: EventBody = { type: "model-end", stopReason: "stop" };
export const aborted: EventBody = { type: "model-error", code: "aborted", message: "", retryable: false };
export const interrupted: EventBody = { type: "turn-end", reason: "interrupted", denied: 0 };
export const over: EventBody = { type: "turn-end", reason: "done", denied: 0 };
export const retry: EventBody = { type: "model-retry", attempt: 1, waitMs: 0, message: "once more" };
export const preview = "@@ -1 +1 @@\n-a\n+b\n";
