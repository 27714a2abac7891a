/** The transcript rejects invalid messages. */
import { createTranscript, HarnessError } from "@localharness/engine";
import type { Message } from "@localharness/protocol";
import { describe, expect, test } from "vitest";

const system: Message = { role: "system", content: "s" };
const user: Message = { role: "user", content: "u", from: "person" };
const text: Message = { role: "assistant", content: "a" };
const calls = (...ids: string[]): Message => ({
  role: "assistant",
  content: "",
  toolCalls: ids.map((id) => ({ id, name: "ls", arguments: {} })),
});
const result = (toolCallId: string): Message => ({ role: "tool", toolCallId, toolName: "ls", content: "{}" });
const display: Message = { role: "display", content: "d" };

function converse(messages: readonly Message[]) {
  const transcript = createTranscript();
  for (const message of messages) transcript.append(message);
  return transcript;
}

function forModel(messages: readonly Message[]): readonly Message[] {
  return messages.filter(({ role }) => role !== "display");
}

describe("a transcript", () => {
  test.each<readonly [string, readonly Message[]]>([
    ["nothing", []],
    ["no system message", [user, text]],
    ["several turns", [system, user, text, user, text]],
    ["a call and its result", [system, user, calls("1"), result("1"), text]],
    [
      "calls and their results in order",
      [user, calls("1", "2"), display, result("1"), display, result("2"), user],
    ],
    ["calls in several answers", [user, calls("1"), result("1"), calls("2"), result("2")]],
    ["display messages anywhere", [display, system, display, user, calls("1"), display, result("1")]],
    ["an assistant message with an empty list of calls", [user, calls(), user]],
  ])("takes %s", (_title, messages) => {
    const transcript = converse(messages);
    expect(transcript.modelMessages).toEqual(forModel(messages));
    expect(transcript.openCalls).toEqual([]);
  });

  test.each<readonly [string, readonly Message[], Message, string]>([
    ["a result without a call", [user], result("1"), "a result for call 1: no call is open"],
    [
      "a second result for a call",
      [user, calls("1"), result("1")],
      result("1"),
      "a result for call 1: no call is open",
    ],
    ["a result of another call", [user, calls("1")], result("2"), "a result for call 2: call 1 is next"],
    ["results out of order", [user, calls("1", "2")], result("2"), "a result for call 2: call 1 is next"],
    [
      "a user message while a call is open",
      [user, calls("1")],
      user,
      "a user message: 1 call without a result",
    ],
    [
      "an answer while calls are open",
      [user, calls("1", "2"), result("1")],
      text,
      "a assistant message: 1 call without a result",
    ],
    ["a system message later", [system, user], system, "a system message: it can only come first"],
    [
      "an id that was used before",
      [user, calls("1"), result("1")],
      calls("1"),
      "a call with the id 1: the id was used before",
    ],
    ["an id twice in one answer", [user], calls("1", "1"), "a call with the id 1: the id was used before"],
    ["a call without an id", [user], calls(""), "a call of ls without an id: its result would find no call"],
  ])("refuses %s, and is as it was", (_title, messages, wrong, why) => {
    const transcript = converse(messages);
    const open = transcript.openCalls;
    const refuse = () => transcript.append(wrong);
    expect(refuse).toThrow(new HarnessError("transcript-invalid", `the transcript cannot take ${why}`));
    expect(transcript.modelMessages).toEqual(forModel(messages));
    expect(transcript.openCalls).toBe(open);
  });

  test("tells which calls are open, in order", () => {
    const transcript = converse([user, calls("1", "2", "3"), result("1")]);
    expect(transcript.openCalls.map((call) => call.id)).toEqual(["2", "3"]);
  });
});
