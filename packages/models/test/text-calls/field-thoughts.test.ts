/** Thoughts that a server sends in a field are read as thoughts between tags are. */
import { emptyDraft, growDraft, type ModelEvent } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { createCallIds } from "../../src/answer/call-ids.ts";
import type { TextReading } from "../../src/text-calls/stands-alone.ts";
import { TextCallReader } from "../../src/text-calls/text-call-reader.ts";
import { lsTool, readTool } from "../test-request.ts";

const call = (path: string) => `<tool_call>\n{"name": "ls", "arguments": {"path": "${path}"}}\n</tool_call>`;
const native: readonly ModelEvent[] = [
  { type: "tool-call-start", index: 0, id: "n", name: "ls" },
  { type: "tool-call-end", index: 0, id: "n", name: "ls", arguments: { path: "native" } },
];

type Piece = readonly [kind: "thought" | "text", text: string];

interface Given {
  readonly pieces: readonly Piece[];
  readonly after?: readonly ModelEvent[];
  readonly stopReason?: "stop" | "length" | "other";
  readonly reading?: TextReading;
  readonly tools?: readonly (typeof lsTool)[];
}

/** Returns what a session keeps of the answer, whose pieces come in parts of `size` characters. */
function answer({ pieces, after = [], stopReason = "stop", reading = "usual", tools }: Given, size: number) {
  const reader = new TextCallReader({
    tools: tools ?? [lsTool, readTool],
    formats: "auto",
    ids: createCallIds([]),
    reading,
  });
  const deltas = pieces.flatMap(([kind, text]) =>
    (text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? []).map(
      (part): ModelEvent => ({ type: kind === "text" ? "text-delta" : "reasoning-delta", text: part }),
    ),
  );
  const events = [...deltas, ...after, { type: "model-end", stopReason } as const].flatMap((event) => [
    ...reader.push(event),
  ]);
  const { text, reasoning, toolCalls } = events.reduce(growDraft, emptyDraft);
  const errors = events.filter((event) => event.type === "tool-call-error").map(({ reason }) => reason);
  const paths = toolCalls.map(({ arguments: args }) => (args as { path: string }).path);
  return { text, thought: reasoning, paths, errors, end: events.at(-1) };
}

const ended: ModelEvent = { type: "model-end", stopReason: "stop" };
const called: ModelEvent = { type: "model-end", stopReason: "tool-calls" };

const cases: readonly (Given & { title: string; right: Partial<ReturnType<typeof answer>> })[] = [
  {
    title: "calls at the end of the thought, with nothing after",
    pieces: [["thought", `Look around.\n${call("a")}\n${call("b")}\n`]],
    right: { text: "", thought: "Look around.\n", paths: ["a", "b"], end: called },
  },
  {
    title: "the same with blank text after",
    pieces: [
      ["thought", `Look around.\n${call("a")}`],
      ["text", "\n\n"],
    ],
    right: { thought: "Look around.\n", paths: ["a"], end: called },
  },
  {
    title: "the same after text",
    pieces: [
      ["text", "I look.\n"],
      ["thought", `First a.\n${call("a")}`],
    ],
    right: { text: "I look.\n", thought: "First a.\n", paths: ["a"], end: called },
  },
  {
    title: "an answer after the call",
    pieces: [
      ["thought", `I could ${call("a")}`],
      ["text", "It is done."],
    ],
    right: { text: "It is done.", thought: `I could ${call("a")}`, paths: [], end: ended },
  },
  {
    title: "a thought that goes on after the call",
    pieces: [["thought", `I could ${call("a")} but I wait.`]],
    right: { text: "", thought: `I could ${call("a")} but I wait.`, paths: [], end: ended },
  },
  {
    title: "a call in the text after one in the thought",
    pieces: [
      ["thought", `First ${call("a")}`],
      ["text", call("b")],
    ],
    right: { thought: `First ${call("a")}`, paths: ["b"], end: called },
  },
  {
    title: "a native call after one in the thought",
    pieces: [["thought", `First ${call("a")}`]],
    after: native,
    right: { thought: `First ${call("a")}`, paths: ["native"] },
  },
  {
    title: "JSON without a frame",
    pieces: [["thought", '{"name": "ls", "arguments": {"path": "a"}}']],
    right: { thought: '{"name": "ls", "arguments": {"path": "a"}}', paths: [], end: ended },
  },
  {
    title: "the end of the thought and the answer in the field",
    pieces: [["thought", "One and one.</think>\n\nTwo."]],
    right: { thought: "One and one.", text: "\n\nTwo.", paths: [], end: ended },
  },
  {
    title: "a call that was cut off",
    pieces: [["thought", `Look.\n${call("a").slice(0, -25)}`]],
    stopReason: "length",
    right: { thought: "Look.\n", paths: [], errors: ["incomplete"] },
  },
  {
    title: "a call, where only native calls are read",
    pieces: [["thought", `Look.\n${call("a")}`]],
    reading: "none",
    right: { thought: `Look.\n${call("a")}`, paths: [], end: ended },
  },
  {
    title: "a call that stands alone, after native calls",
    pieces: [["thought", `Look.\n\n${call("a")}`]],
    reading: "alone",
    right: { thought: "Look.\n\n", paths: ["a"], end: called },
  },
  {
    title: "a call within a line, after native calls",
    pieces: [["thought", `Look: ${call("a")}`]],
    reading: "alone",
    right: { thought: `Look: ${call("a")}`, paths: [], end: ended },
  },
  {
    title: "a call without tools on offer",
    pieces: [["thought", call("a")]],
    tools: [],
    right: { thought: call("a"), paths: [], end: ended },
  },
];

describe.each(cases)("a thought in a field: $title", (row) => {
  test.each([1, 7, 10_000])("in parts of %d", (size) => {
    expect(answer(row, size)).toMatchObject(row.right);
  });
});
