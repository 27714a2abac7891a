/** The parts that a compaction leaves out of a prompt, and the parts that always stay. */
import { compactor } from "@localharness/context";
import { createTranscript, type LeftOut, promptChars, sentMessages } from "@localharness/engine";
import type { ModelMessage } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { type Made, promptOf } from "./prompt-of.ts";

const none: LeftOut = { shortened: {} };
const reads = (count: number): readonly Made[] =>
  Array.from({ length: count }, (_, index) =>
    index === 1
      ? { path: "gone.txt", error: "no such file" }
      : { path: `f${index}`, text: `${index} ${"x".repeat(2_000)}` },
  );

/** Returns what is left out after one compaction, and the messages of the next request. */
function compactOnce(whole: readonly ModelMessage[], before: LeftOut, maxChars: number) {
  const omission = compactor.compact(whole, before, maxChars);
  const contents = (omission?.shortened ?? []).map(({ callId, content }) => [callId, content] as const);
  const after = {
    ...before,
    ...omission,
    shortened: { ...before.shortened, ...Object.fromEntries(contents) },
  };
  return { omission, after, sent: sentMessages(whole, after) };
}

describe("a prompt becomes as short as it must", () => {
  test.each<[string, number, number, boolean]>([
    ["results are enough", 20, 30_000, false],
    ["answers are folded too", 60, 8_000, true],
    ["the newest results are cut last", 60, 6_000, true],
  ])("%s", (_what, calls, maxChars, folds) => {
    const { omission, sent } = compactOnce(promptOf(reads(calls)), none, maxChars);
    expect(promptChars(sent)).toBeLessThanOrEqual(maxChars);
    expect(omission?.folded !== undefined).toBe(folds);
  });

  test("nothing is left out of a prompt that is short enough", () => {
    expect(compactor.compact(promptOf(reads(3)), none, 100_000)).toBeUndefined();
  });

  test("a second compaction of the same messages changes nothing", () => {
    const whole = promptOf(reads(60));
    const { after } = compactOnce(whole, none, 100);
    expect(compactor.compact(whole, after, 100)).toBeUndefined();
  });
});

test("the note about folded answers has the person's wish", () => {
  const omission = compactor.compact(promptOf(reads(60)), none, 8_000, "the plan");
  expect(omission?.folded?.note).toContain("The person asked you to keep this in mind: the plan\n");
});

describe("what stays in a folded prompt", () => {
  const whole = [
    ...promptOf(reads(40)),
    { role: "user", content: "and a wish", from: "person" } as const,
    { role: "user", content: "long text", from: "file", path: "notes.md" } as const,
    ...promptOf(reads(20)).slice(2).map(renamed),
  ];
  const { sent, after } = compactOnce(whole, none, 8_000);
  const text = sent.map(({ content }) => content).join("\n");

  test.each(["the task", "and a wish", "step 19"])("the prompt still has %j", (needle) => {
    expect(text).toContain(needle);
  });

  test("the note has each failure once, and the attached files", () => {
    const { note = "" } = after.folded ?? {};
    expect(note.match(/no such file/g)).toHaveLength(1);
    expect(note).toContain('read_file {"path":"gone.txt"}: io_error: no such file');
    expect(note).toContain("- notes.md");
  });

  test("the note has the files that were read, each once", () => {
    const { note = "" } = after.folded ?? {};
    expect(note).toContain("Files that were read and can be read again:");
    expect(note.match(/^- f39$/gm)).toHaveLength(1);
  });

  test("the messages are a valid transcript", () => {
    const transcript = createTranscript();
    for (const message of sent) transcript.append(message);
    expect(transcript.openCalls).toEqual([]);
  });
});

/** Returns the message with other ids, for calls after those of the first prompt. */
function renamed(message: ModelMessage): ModelMessage {
  if (message.role === "tool") return { ...message, toolCallId: `b${message.toolCallId}` };
  if (message.role !== "assistant") return message;
  return { ...message, toolCalls: (message.toolCalls ?? []).map((call) => ({ ...call, id: `b${call.id}` })) };
}
