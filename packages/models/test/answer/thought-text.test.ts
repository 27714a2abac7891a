import { expect, test } from "vitest";
import { thoughtIn, thoughtInPart } from "../../src/answer/thought-text.ts";

test.each<[title: string, message: Parameters<typeof thoughtIn>[0], thought: string]>([
  ["reasoning_content", { reasoning_content: "why" }, "why"],
  ["reasoning", { reasoning: "why" }, "why"],
  ["thinking", { thinking: "why" }, "why"],
  ["reasoning_text", { reasoning_text: "why" }, "why"],
  ["an empty field before a full one", { reasoning_content: "", reasoning: "why" }, "why"],
  ["null before a full one", { reasoning_content: null, thinking: "why" }, "why"],
  ["the same thought twice", { reasoning: "why", reasoning_content: "why" }, "why"],
  ["an object", { reasoning: { content: "why" } }, "why"],
  [
    "a list of details, one of them secret",
    {
      reasoning_details: [
        { type: "reasoning.summary", summary: "wh" },
        { type: "reasoning.encrypted", data: "c2VjcmV0" },
        { type: "reasoning.text", text: "y", signature: "s" },
      ],
    },
    "why",
  ],
  ["details that say the same as a field", { reasoning: "why", reasoning_details: [{ text: "why" }] }, "why"],
  ["no thought", { content: "text", reasoning: false, thinking: {}, reasoning_details: [] }, ""],
])("the thought in %s", (_title, message, thought) => {
  expect(thoughtIn(message)).toBe(thought);
});

test.each<[part: Parameters<typeof thoughtInPart>[0], thought: string]>([
  [{ type: "thinking", thinking: [{ type: "text", text: "why" }] }, "why"],
  [{ type: "reasoning", text: "why" }, "why"],
  [{ type: "reasoning", summary: [{ type: "summary_text", text: "why" }] }, "why"],
  [{ type: "text", text: "because" }, ""],
])("the thought in the part %j", (part, thought) => {
  expect(thoughtInPart(part)).toBe(thought);
});
