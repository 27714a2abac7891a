import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { AiSdkReader } from "../../src/ai-sdk/reader.ts";
import { createCallIds } from "../../src/call-ids.ts";

type Reason = "length" | "content-filter" | "tool-calls";

function read(inputs: readonly unknown[], unified: Reason) {
  const reader = new AiSdkReader("m", createCallIds([]));
  for (const [index, input] of inputs.entries())
    reader.push({
      type: "tool-call",
      toolCallId: `c${index}`,
      toolName: "ls",
      input,
    } as LanguageModelV4StreamPart);
  const none = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  reader.push({
    type: "finish",
    finishReason: { unified, raw: unified },
    usage: { inputTokens: none, outputTokens: { total: undefined, text: undefined, reasoning: undefined } },
  });
  return reader.end();
}

it.each(["length", "content-filter"] as const)("runs no call that was cut off by %s", (reason) => {
  expect(read(["", '{"path":', '{"path":"a"}'], reason)).toMatchObject([
    { type: "tool-call-error", index: 0, reason: "incomplete", name: "ls", raw: "" },
    { type: "tool-call-error", index: 1, reason: "incomplete", name: "ls", raw: '{"path":' },
    { type: "tool-call-end", index: 2, arguments: '{"path":"a"}' },
    { type: "model-end" },
  ]);
});

it("accepts arguments that the provider has already parsed", () => {
  expect(read([{ path: "a" }, ""], "tool-calls")).toMatchObject([
    { type: "tool-call-end", arguments: '{"path":"a"}' },
    { type: "tool-call-end", arguments: "{}" },
    { type: "model-end", stopReason: "tool-calls" },
  ]);
});
