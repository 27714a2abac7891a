import { expect, test } from "vitest";
import { contextParts } from "../../src/host/context-parts.ts";

test("the prompt in its order: instructions, tools, then what was said, summed by kind", () => {
  const parts = contextParts({
    promptParts: [{ name: "system prompt", bytes: 10 }],
    tools: [{ name: "ls", description: "List.", parameters: { type: "object", properties: {} } }],
    messages: [
      { role: "system", content: "counted above" },
      { role: "user", content: "grüße", from: "person" },
      { role: "assistant", content: "", toolCalls: [{ id: "1", name: "ls", arguments: {} }] },
      { role: "display", content: "not sent" },
      { role: "tool", toolCallId: "1", toolName: "ls", content: "12345678" },
      { role: "user", content: "go on", from: "harness" },
      {
        role: "user",
        content: "ok",
        from: "person",
        images: [{ mediaType: "image/gif", data: "R0lGODlhAQAB" }],
      },
      { role: "assistant", content: "done" },
    ],
  });
  expect(parts).toEqual([
    { name: "system prompt", bytes: 10, tokens: 3 },
    { name: "tool ls", bytes: 82, tokens: 21 },
    { name: "your messages (2)", bytes: 9, tokens: 3 },
    { name: "tool calls (1)", bytes: 39, tokens: 10 },
    { name: "results of ls (1)", bytes: 8, tokens: 2 },
    { name: "notes of the harness (1)", bytes: 5, tokens: 2 },
    { name: "answers (1)", bytes: 4, tokens: 1 },
    { name: "images (1)", bytes: 9, tokens: 1_000 },
  ]);
});
