/** Decides whether a key or a click may answer a question. Text that a person types never allows a call. */

export interface Gate {
  /** The milliseconds since the question became visible. */
  readonly visibleMs: number;
  /** The milliseconds since the last key. */
  readonly quietMs: number;
  /** True when the end of what the call would do has been on the screen. */
  readonly sawEnd: boolean;
  /** True while a message or a note has been begun. */
  readonly hasText: boolean;
}

/** A question takes no answer for this many milliseconds after it appears, and no key this soon after another key. */
export const settleMs = 300;

export type AnswerRefusal = "too-soon" | "typing" | "unseen";

/**
 * Returns why an answer does not count; undefined when it counts. A click counts even if keys were pressed right
 * before, or a text has been begun.
 */
export function refusalOf(
  gate: Gate,
  answer: { readonly allows: boolean; readonly by: "key" | "click" },
): AnswerRefusal | undefined {
  if (gate.visibleMs < settleMs) return "too-soon";
  if (answer.by === "key" && gate.quietMs < settleMs) return "too-soon";
  if (answer.by === "key" && gate.hasText) return "typing";
  if (answer.allows && !gate.sawEnd) return "unseen";
  return undefined;
}
