/** Events are numbered, folded and appended in one step, and an event that does not fit changes nothing. */
import { HarnessError } from "@localharness/engine";
import type { EventBody } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { createFoldedTranscript, deliverTo, transcriptOfTurn } from "../../src/session/folded-transcript.ts";

const said = (content: string): EventBody => ({ type: "user-message", content, from: "person" });

/** An assistant message with one call, as its events. */
const called: readonly EventBody[] = [
  { type: "tool-call-start", index: 0, id: "call_1", name: "ls" },
  { type: "tool-call-end", index: 0, id: "call_1", name: "ls", arguments: {} },
  { type: "model-end", stopReason: "tool-calls" },
];

describe("a folded transcript", () => {
  test("numbers its events and keeps their messages", () => {
    const transcript = createFoldedTranscript("s");
    expect(transcript.add("turn-1", { type: "turn-start" })).toEqual({
      sessionId: "s",
      turnId: "turn-1",
      seq: 1,
      type: "turn-start",
    });
    expect(transcript.add("turn-1", said("hello")).seq).toBe(2);
    expect(transcript.messages()).toMatchObject([{ role: "user", content: "hello" }]);
    expect(transcript.view()).toMatchObject({ lastSeq: 2, turn: { id: "turn-1", running: true } });
  });

  test("goes on where its history ends", () => {
    const first = createFoldedTranscript("s");
    const history = [first.add("turn-1", { type: "turn-start" }), first.add("turn-1", said("hello"))];
    const second = createFoldedTranscript("s", history);
    expect(second.view()).toEqual(first.view());
    expect(second.messages()).toEqual(first.messages());
    expect(second.add("turn-1", said("more")).seq).toBe(3);
  });

  test("knows the calls without a result, and takes in no message before them", () => {
    const transcript = createFoldedTranscript("s");
    for (const body of [{ type: "turn-start" } as const, said("go"), ...called])
      transcript.add("turn-1", body);
    expect(transcript.openCalls()).toMatchObject([{ id: "call_1" }]);
    const before = transcript.view();
    expect(() => transcript.add("turn-1", said("early"))).toThrow(HarnessError);
    expect(transcript.view()).toBe(before);
    expect(transcript.messages()).toHaveLength(2);
  });

  test("gets notes and results from its turn", () => {
    const transcript = createFoldedTranscript("s");
    const ofTurn = transcriptOfTurn(transcript, (body) => transcript.add("turn-1", body), {});
    for (const body of [{ type: "turn-start" } as const, said("go"), ...called]) ofTurn.emit(body);
    deliverTo(ofTurn.emit)({
      id: "call_1",
      toolName: "ls",
      result: {
        success: true,
        data: "a.txt",
        error_message: null,
        error_type: "none",
        metadata: { execution_time_ms: 1, data_size_bytes: 5, timestamp: 0 },
      },
      achieved: [],
    });
    ofTurn.tellModel("go on");
    ofTurn.notice("warning", "w", "look");
    expect(ofTurn.openCalls()).toEqual([]);
    expect(ofTurn.messages().map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
    expect(ofTurn.messages().at(-1)).toMatchObject({ content: "go on", from: "harness" });
    expect(transcript.view().notices).toEqual([{ level: "warning", code: "w", message: "look" }]);
    const roles = transcript.view().messages.map(({ role }) => role);
    expect(roles).toEqual(["user", "assistant", "display", "tool", "user"]);
  });
});
