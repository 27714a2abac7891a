import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { createCallIds } from "../../../src/answer/call-ids.ts";
import { AiSdkReader } from "../../../src/wire/ai-sdk/reader.ts";

type Reason = "length" | "content-filter" | "tool-calls" | "other";

function read(inputs: readonly unknown[], unified: Reason, raw: string | undefined = unified) {
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
    finishReason: { unified, raw },
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

it.each([
  ["eos", { stopReason: "stop" }],
  ["MAX_TOKENS", { stopReason: "length" }],
  ["abort", { stopReason: "other", reason: "abort" }],
] as const)("takes the service's own word %s where the SDK has none for it", (raw, end) => {
  expect(read([], "other", raw)).toEqual([{ type: "model-end", ...end }]);
});

it("accepts arguments that the provider has already parsed", () => {
  expect(read([{ path: "a" }, ""], "tool-calls")).toMatchObject([
    { type: "tool-call-end", arguments: '{"path":"a"}' },
    { type: "tool-call-end", arguments: "{}" },
    { type: "model-end", stopReason: "tool-calls" },
  ]);
});

it("counts the calls beyond those that are kept", () => {
  const events = read(
    Array.from({ length: 1_200 }, () => ""),
    "tool-calls",
  );
  expect(events?.filter(({ type }) => type === "tool-call-end")).toHaveLength(200);
  expect(events?.at(-2)).toMatchObject({ type: "tool-call-error", reason: "too-many", calls: 1_000 });
});

it("counts a call beyond those that are kept once, and keeps none of its pieces", () => {
  const reader = new AiSdkReader("m", createCallIds([]), 1);
  const parts = ["a", "b"].flatMap((id) => [
    { type: "tool-input-start", id, toolName: "ls" },
    { type: "tool-input-delta", id, delta: "{}" },
    { type: "tool-call", toolCallId: id, toolName: "ls", input: "{}" },
  ]);
  const events = parts.flatMap((part) => reader.push(part as LanguageModelV4StreamPart));
  expect(events.map(({ type }) => type)).toEqual(["tool-call-start", "tool-call-delta"]);
  const none = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  reader.push({
    type: "finish",
    finishReason: { unified: "tool-calls", raw: "tool-calls" },
    usage: { inputTokens: none, outputTokens: { total: undefined, text: undefined, reasoning: undefined } },
  });
  expect(reader.end()?.slice(0, -1)).toMatchObject([{ type: "tool-call-end" }, { calls: 1 }]);
});
