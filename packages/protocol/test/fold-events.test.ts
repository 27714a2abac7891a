/** Checks that `foldEvents` gives the same view as `applyEvent` one by one, in linear time. */
import { applyEvent, type EventBody, emptyView, foldEvents, type SessionEvent } from "@localharness/protocol";
import { expect, test } from "vitest";
import { growth } from "../../../test/measures.ts";

const result = {
  success: true,
  data: "x",
  error_message: null,
  error_type: "none",
  metadata: { execution_time_ms: 1, data_size_bytes: 1, timestamp: 1 },
} as const;
const setting = { model: "m", provider: "p", workspace: "/w", mode: "default", tools: ["ls"] } as const;
const bodies: readonly EventBody[] = [
  { type: "session-start", ...setting, systemPrompt: "s" },
  { type: "session-resumed", ...setting, mode: "plan" },
  { type: "turn-start" },
  { type: "user-message", content: "hello", from: "person" },
  { type: "text-delta", text: "a" },
  { type: "reasoning-delta", text: "b" },
  { type: "tool-call-start", index: 0, id: "c", name: "ls" },
  { type: "tool-call-end", index: 0, id: "c", name: "ls", arguments: {} },
  { type: "answer-restart" },
  { type: "model-end", stopReason: "stop" },
  { type: "model-error", code: "aborted", message: "", retryable: false },
  { type: "tool-start", callId: "c", toolName: "ls", arguments: {} },
  { type: "tool-progress", callId: "c", text: "half" },
  { type: "tool-result", callId: "c", toolName: "ls", result, display: "[Tool]" },
  { type: "usage", inputTokens: 3, outputTokens: 4 },
  { type: "executor-state", state: "executing" },
  { type: "notice", level: "info", code: "n", message: "m" },
  { type: "turn-end", reason: "done", denied: 0 },
];

function randomEvents(count: number): readonly SessionEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const body = bodies[Math.floor(Math.random() * bodies.length)] ?? { type: "turn-start" };
    // Some events come twice.
    const seq = Math.random() < 0.05 ? Math.max(1, index) : index + 1;
    return { sessionId: "s", turnId: `turn-${index}`, seq, ...body };
  });
}

test("any events, split anywhere", () => {
  for (let round = 0; round < 50; round += 1) {
    const events = randomEvents(60);
    const at = Math.floor(Math.random() * events.length);
    const one = events.reduce(applyEvent, emptyView);
    const begun = foldEvents(emptyView, events.slice(0, at));
    const before = structuredClone(begun);
    expect(foldEvents(begun, events.slice(at))).toEqual(one);
    expect(begun).toEqual(before);
  }
});

test("a hundred thousand messages take a time that grows with their number", async () => {
  const said = (seq: number): SessionEvent => {
    const body: EventBody = { type: "user-message", content: "x", from: "person" };
    return { sessionId: "s", turnId: "t", seq, ...body };
  };
  const events = Array.from({ length: 100_000 }, (_, index) => said(index + 1));
  const fold = (count: number) => () =>
    expect(foldEvents(emptyView, events.slice(0, count)).messages).toHaveLength(count);
  // With `applyEvent` alone, each event would copy the list of messages.
  expect(await growth(fold(12_500), fold(100_000), 24)).toBeLessThan(24);
});

test("fifty thousand calls of one answer take a time that grows with their number", async () => {
  const most = 50_000;
  const events = Array.from({ length: most }, (_, index): SessionEvent => {
    const body: EventBody = { type: "tool-call-end", index, id: `c${index}`, name: "ls", arguments: {} };
    return { sessionId: "s", turnId: "t", seq: index + 1, ...body };
  });
  const end: SessionEvent = {
    sessionId: "s",
    turnId: "t",
    seq: most + 1,
    type: "model-end",
    stopReason: "stop",
  };
  const fold = (count: number) => () => {
    const half = foldEvents(emptyView, events.slice(0, count / 2));
    expect(half.draft.toolCalls).toHaveLength(count / 2);
    const [message] = foldEvents(half, [...events.slice(count / 2, count), end]).messages;
    expect(message?.role === "assistant" && message.toolCalls).toHaveLength(count);
  };
  expect(await growth(fold(most / 8), fold(most), 24)).toBeLessThan(24);
});
