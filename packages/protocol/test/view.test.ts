/** Checks the view reducer: each event type, the fold of a whole session, and events that come twice. */
import {
  applyEvent,
  type EventBody,
  emptyDraft,
  emptyView,
  type PermissionRequest,
  type SessionEvent,
  type ToolResult,
  type View,
} from "@localharness/protocol";
import { describe, expect, test } from "vitest";

function number(bodies: readonly EventBody[], turnId = "turn-1"): SessionEvent[] {
  return bodies.map((body, index) => ({ sessionId: "s", turnId, seq: index + 1, ...body }));
}

const fold = (bodies: readonly EventBody[]) => number(bodies).reduce(applyEvent, emptyView);

const result: ToolResult = {
  success: true,
  data: "a.txt",
  error_message: null,
  error_type: "none",
  metadata: { execution_time_ms: 5, data_size_bytes: 5, timestamp: 1 },
};
const request: PermissionRequest = {
  requestId: "p1",
  callId: "c1",
  toolName: "bash",
  arguments: { command: "ls" },
  risk: "high",
  rule: "risk:high",
  reason: "a high risk",
  covers: "exactly this",
  argumentsHash: "00",
  concerns: [],
};
const gif = { mediaType: "image/gif", data: "R0lGODlhAQAB" } as const;
const sessionStart: EventBody = {
  type: "session-start",
  model: "m",
  provider: "p",
  workspace: "/w",
  mode: "plan",
  tools: ["ls"],
  systemPrompt: "be good",
};
const toolStart: EventBody = { type: "tool-start", callId: "c1", toolName: "ls", arguments: {} };
const running = { callId: "c1", toolName: "ls", arguments: {}, progress: "" };
const turnEnd: EventBody = { type: "turn-end", reason: "done", denied: 0 };

/** For each event, the fields that it changes in an empty view. `sessionId` and `lastSeq` change with every event. */
const cases: readonly { name: string; events: readonly EventBody[]; changes: Partial<View> }[] = [
  {
    name: "session-start sets the session and begins the transcript with the system prompt",
    events: [sessionStart],
    changes: {
      session: { model: "m", provider: "p", workspace: "/w", tools: ["ls"] },
      mode: "plan",
      messages: [{ role: "system", content: "be good" }],
    },
  },
  {
    name: "mode-changed sets the mode",
    events: [{ type: "mode-changed", mode: "bypass" }],
    changes: { mode: "bypass" },
  },
  {
    name: "model-changed and tools-changed say what runs from now on",
    events: [
      {
        type: "session-start",
        model: "first",
        provider: "ollama",
        workspace: "/w",
        mode: "default",
        tools: ["ls"],
        systemPrompt: "be good",
      },
      { type: "model-changed", model: "second", provider: "lmstudio" },
      { type: "tools-changed", tools: ["ls", "bash"] },
    ],
    changes: {
      session: { model: "second", provider: "lmstudio", workspace: "/w", tools: ["ls", "bash"] },
      messages: [{ role: "system", content: "be good" }],
    },
  },
  {
    name: "turn-start and iteration-start say what runs",
    events: [{ type: "turn-start" }, { type: "iteration-start", iteration: 3 }],
    changes: { turn: { id: "turn-1", running: true, iteration: 3 } },
  },
  {
    name: "iteration-end changes nothing",
    events: [{ type: "iteration-end", iteration: 1, toolCalls: 2 }],
    changes: {},
  },
  {
    name: "user-message appends, and says who wrote it",
    events: [{ type: "user-message", content: "hi", from: "harness" }],
    changes: { messages: [{ role: "user", content: "hi", from: "harness" }] },
  },
  {
    name: "user-message keeps its images",
    events: [{ type: "user-message", content: "see", from: "person", images: [gif] }],
    changes: { messages: [{ role: "user", content: "see", from: "person", images: [gif] }] },
  },
  {
    name: "executor-state is shown",
    events: [{ type: "executor-state", state: "executing" }],
    changes: { executor: "executing" },
  },
  {
    name: "notice is kept",
    events: [{ type: "notice", level: "warning", code: "c", message: "m" }],
    changes: { notices: [{ level: "warning", code: "c", message: "m" }] },
  },
  {
    name: "model-retry is a notice",
    events: [{ type: "model-retry", attempt: 1, waitMs: 10, message: "again in 10 ms" }],
    changes: { notices: [{ level: "info", code: "model-retry", message: "again in 10 ms" }] },
  },
  {
    name: "prompt-progress is what is being read, the newest alone",
    events: [
      { type: "prompt-progress", totalTokens: 12_000, cachedTokens: 800, doneTokens: 800 },
      { type: "prompt-progress", totalTokens: 12_000, cachedTokens: 800, doneTokens: 3_200 },
    ],
    changes: { reading: { totalTokens: 12_000, cachedTokens: 800, doneTokens: 3_200 } },
  },
  {
    name: "nothing is being read once the model says anything",
    events: [
      { type: "prompt-progress", totalTokens: 9, cachedTokens: 0, doneTokens: 3 },
      { type: "reasoning-delta", text: "Hm" },
    ],
    changes: { draft: { ...emptyDraft, reasoning: "Hm" } },
  },
  {
    name: "the phase is the newest one",
    events: [
      { type: "model-phase", phase: "connecting", atMs: 0 },
      { type: "model-phase", phase: "reading", atMs: 3, tokens: 900, expectedMs: 4_000 },
    ],
    changes: { phase: { phase: "reading", atMs: 3, tokens: 900, expectedMs: 4_000 } },
  },
  {
    name: "a thought that follows the reading has no tokens to read",
    events: [
      { type: "model-phase", phase: "reading", atMs: 3, tokens: 900 },
      { type: "model-phase", phase: "thinking", atMs: 4_003 },
      { type: "reasoning-delta", text: "Hm" },
    ],
    changes: { phase: { phase: "thinking", atMs: 4_003 }, draft: { ...emptyDraft, reasoning: "Hm" } },
  },
  ...(["model-end", "model-error"] as const).map((type) => ({
    name: `no phase is left after ${type}`,
    events: [
      { type: "model-phase", phase: "connecting", atMs: 0 } as const,
      type === "model-end"
        ? ({ type, stopReason: "stop" } as const)
        : ({ type, code: "aborted", message: "interrupted", retryable: false } as const),
    ],
    changes: {},
  })),
  {
    name: "usage is summed, the window is the newest",
    events: [
      { type: "usage", inputTokens: 10, outputTokens: 1, contextWindow: 4096 },
      { type: "usage", inputTokens: 20 },
      { type: "usage", outputTokens: 5, contextWindow: 8192 },
    ],
    changes: { usage: { inputTokens: 30, outputTokens: 6, contextWindow: 8192 } },
  },
  {
    name: "deltas grow the draft and no message",
    events: [
      { type: "text-delta", text: "a" },
      { type: "reasoning-delta", text: "r" },
      { type: "tool-call-start", index: 0, id: "c1", name: "ls" },
      { type: "tool-call-delta", index: 0, argumentsText: "{}" },
    ],
    changes: { draft: { text: "a", reasoning: "r", toolCalls: [], opening: { 0: "ls" } } },
  },
  {
    name: "model-end turns the draft into a message",
    events: [
      { type: "text-delta", text: "a" },
      { type: "tool-call-end", index: 0, id: "c1", name: "ls", arguments: {} },
      { type: "model-end", stopReason: "tool-calls" },
    ],
    changes: {
      messages: [{ role: "assistant", content: "a", toolCalls: [{ id: "c1", name: "ls", arguments: {} }] }],
    },
  },
  {
    name: "model-end after silence adds no message",
    events: [{ type: "model-end", stopReason: "stop" }],
    changes: {},
  },
  {
    name: "model-error keeps the text so far as partial",
    events: [
      { type: "text-delta", text: "a" },
      { type: "model-error", code: "server-error", message: "500", retryable: true },
    ],
    changes: { messages: [{ role: "assistant", content: "a", partial: "error" }] },
  },
  {
    name: "an abort keeps the text so far as interrupted",
    events: [
      { type: "text-delta", text: "a" },
      { type: "model-error", code: "aborted", message: "interrupted", retryable: false },
    ],
    changes: { messages: [{ role: "assistant", content: "a", partial: "interrupted" }] },
  },
  {
    name: "tool-call-error keeps what was written",
    events: [{ type: "tool-call-error", index: 0, raw: "<tool>", reason: "cut", message: "cut" }],
    changes: { draft: { ...emptyDraft, text: "<tool>" } },
  },
  {
    name: "permission-request is shown",
    events: [{ type: "permission-request", request }],
    changes: { permission: request },
  },
  {
    name: "permission-answer takes the request away",
    events: [
      { type: "permission-request", request },
      { type: "permission-answer", requestId: "p1", answer: "once", by: "person" },
    ],
    changes: {},
  },
  { name: "tool-start shows a running call", events: [toolStart], changes: { running: [running] } },
  {
    name: "tool-progress replaces the progress of its call alone",
    events: [
      toolStart,
      { ...toolStart, callId: "c2" },
      { type: "tool-progress", callId: "c1", text: "1 %" },
      { type: "tool-progress", callId: "c1", text: "2 %" },
      { type: "tool-progress", callId: "gone", text: "lost" },
    ],
    changes: {
      running: [
        { ...running, progress: "2 %" },
        { ...running, callId: "c2" },
      ],
    },
  },
  {
    name: "ZodoLlama: tool-result appends a display message for people and a tool message with the JSON for the model",
    events: [toolStart, { type: "tool-result", callId: "c1", toolName: "ls", result, display: "[Tool: ls]" }],
    changes: {
      messages: [
        { role: "display", toolCallId: "c1", content: "[Tool: ls]" },
        { role: "tool", toolCallId: "c1", toolName: "ls", content: JSON.stringify(result) },
      ],
    },
  },
  {
    name: "turn-end closes whatever was open",
    events: [{ type: "turn-start" }, toolStart, { type: "permission-request", request }, turnEnd],
    changes: {
      turn: { id: "turn-1", running: false, iteration: 0 },
      lastEnd: { sessionId: "s", turnId: "turn-1", seq: 4, ...turnEnd } as NonNullable<View["lastEnd"]>,
    },
  },
  {
    name: "turn-end drops an answer that was not saved, so that the next answer does not continue it",
    events: [
      { type: "turn-start" },
      { type: "text-delta", text: "lost" },
      { type: "tool-call-end", index: 0, id: "c1", name: "ls", arguments: {} },
      turnEnd,
      { type: "text-delta", text: "said" },
      { type: "model-end", stopReason: "stop" },
    ],
    changes: {
      turn: { id: "turn-1", running: false, iteration: 0 },
      lastEnd: { sessionId: "s", turnId: "turn-1", seq: 4, ...turnEnd } as NonNullable<View["lastEnd"]>,
      messages: [{ role: "assistant", content: "said" }],
    },
  },
];

describe("the view", () => {
  test.each(cases)("$name", ({ events, changes }) => {
    expect(fold(events)).toEqual({ ...emptyView, sessionId: "s", lastSeq: events.length, ...changes });
  });

  const all = cases.flatMap((one) => one.events);

  test("events already seen change nothing, wherever they are replayed from", () => {
    const events = number(all);
    const once = events.reduce(applyEvent, emptyView);
    for (let from = 0; from < events.length; from += 1) {
      expect(events.slice(from).reduce(applyEvent, once)).toBe(once);
    }
  });

  test("a fold in two parts equals the fold of the whole", () => {
    const events = number(all);
    const once = events.reduce(applyEvent, emptyView);
    for (let cut = 0; cut <= events.length; cut += 1) {
      const half = events.slice(0, cut).reduce(applyEvent, emptyView);
      // A screen that reconnects gets some events twice.
      expect(events.slice(Math.max(0, cut - 3)).reduce(applyEvent, half)).toEqual(once);
    }
  });

  test("an event never changes the view it is applied to", () => {
    const freeze = (value: unknown): void => {
      if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
      Object.freeze(value);
      for (const inner of Object.values(value)) freeze(inner);
    };
    const apply = (view: View, event: SessionEvent) => {
      freeze(view);
      return applyEvent(view, event);
    };
    expect(() => number(all).reduce(apply, emptyView)).not.toThrow();
  });

  test("an event of an unknown type counts as seen and changes nothing else", () => {
    const before = fold([{ type: "text-delta", text: "a" }]);
    const unknown = {
      sessionId: "s",
      turnId: "",
      seq: 2,
      type: "from-the-future",
      x: 1,
    } as unknown as SessionEvent;
    expect(applyEvent(before, unknown)).toEqual({ ...before, lastSeq: 2 });
  });

  test("every event survives JSON unchanged", () => {
    const events = number(all);
    expect(JSON.parse(JSON.stringify(events))).toEqual(events);
  });
});
