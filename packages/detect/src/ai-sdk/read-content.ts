/** Reads the calls in the text of a whole reply. */
import type { LanguageModelV4Content, LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import { detect } from "../detector.ts";
import { callPart, finishReason, isWhole, mayBeCut, type Reading } from "./reading.ts";

/** Returns the result with the calls and thoughts in its text as parts; unchanged with native calls, or if it broke off. */
export function readResult(
  result: LanguageModelV4GenerateResult,
  reading: Reading,
): LanguageModelV4GenerateResult {
  const native = result.content.some((part) => part.type === "tool-call");
  if (native || !isWhole(result.finishReason)) return result;
  const isCut = mayBeCut(result.finishReason);
  // Some providers put thoughts after the text, so that the last text may be cut even if it is not the last part.
  const last = result.content.findLast((part) => part.type === "text" && part.text.trim() !== "");
  const content = result.content.flatMap((part) => readPart(part, reading, isCut && part === last));
  const changed =
    content.length !== result.content.length || content.some((part, at) => part !== result.content[at]);
  if (!changed) return result;
  const called = content.some((part) => part.type === "tool-call");
  return {
    ...result,
    content,
    finishReason: called ? finishReason(result.finishReason) : result.finishReason,
  };
}

function readPart(part: LanguageModelV4Content, reading: Reading, isCut: boolean): LanguageModelV4Content[] {
  if (part.type !== "text") return [part];
  const parts: LanguageModelV4Content[] = [];
  for (const event of detect(part.text, reading, isCut)) {
    switch (event.type) {
      case "text-delta":
        addText(parts, event.text);
        break;
      case "reasoning-delta":
        parts.push({ type: "reasoning", text: event.text });
        break;
      case "tool-call-end":
      case "tool-call-error": {
        const call = callPart(event, reading.generateId(), reading);
        if (call !== undefined) parts.push(call);
        else if (event.type === "tool-call-error") addText(parts, event.raw);
        break;
      }
      case "restart":
        parts.length = 0;
        break;
      case "tool-call-start":
      case "tool-call-delta":
        break;
    }
  }
  if (parts.every((one) => one.type === "text")) return [part];
  // White space around a call or a thought is layout, and dropped.
  const kept = parts.filter(
    (one) => (one.type !== "text" && one.type !== "reasoning") || one.text.trim() !== "",
  );
  return kept.map((one) => (one.type === "text" ? { ...part, text: one.text } : one));
}

function addText(parts: LanguageModelV4Content[], text: string): void {
  const last = parts.at(-1);
  if (last?.type === "text") parts[parts.length - 1] = { type: "text", text: last.text + text };
  else parts.push({ type: "text", text });
}
