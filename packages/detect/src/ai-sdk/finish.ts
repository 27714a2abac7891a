/** What the end of a reply says about the calls in its text. */
import type { LanguageModelV4FinishReason } from "@ai-sdk/provider";

/** False when the reply was broken off by more than its length: nothing in it runs. */
export function isWhole({ unified }: LanguageModelV4FinishReason): boolean {
  return unified !== "error" && unified !== "interrupted" && unified !== "content-filter";
}

/** The reason for a reply with calls in its text; that it was cut at its limit remains to be seen. */
export function finishReason(reason: LanguageModelV4FinishReason): LanguageModelV4FinishReason {
  return reason.unified === "length" ? reason : { ...reason, unified: "tool-calls" };
}
