/** Keeps what an answer has shown so far, so that a thought at its end can be read again. */
import type { ModelEvent } from "@localharness/protocol";

export type ShownDelta = Extract<ModelEvent, { type: "text-delta" | "reasoning-delta" }>;

interface Run {
  readonly type: ShownDelta["type"];
  /** True for a thought that the server has sent in a field. */
  readonly isField: boolean;
  readonly pieces: string[];
}

export interface ShownAnswer {
  add(delta: ShownDelta, isField: boolean): void;
  clear(): void;
  /**
   * Returns the thought from a field with which the answer ends, and the deltas before it. Returns undefined if the answer has
   * no such thought, or if text other than white space follows it.
   */
  lastThought(): { readonly thought: string; readonly before: readonly ShownDelta[] } | undefined;
}

export function createShownAnswer(): ShownAnswer {
  let runs: Run[] = [];
  return {
    add({ type, text }, isField) {
      const last = runs.at(-1);
      if (last?.type === type && last.isField === isField) last.pieces.push(text);
      else runs.push({ type, isField, pieces: [text] });
    },
    clear() {
      runs = [];
    },
    lastThought() {
      const at = runs.findLastIndex((run) => !isBlankText(run));
      const run = runs[at];
      if (run?.isField !== true) return undefined;
      const before = runs.slice(0, at).map(({ type, pieces }) => ({ type, text: pieces.join("") }));
      return { thought: run.pieces.join(""), before };
    },
  };
}

function isBlankText({ type, pieces }: Run): boolean {
  return type === "text-delta" && pieces.every((piece) => piece.trim() === "");
}
