/** Formats a failed case: seed and index, what is wrong, and the smallest text that shows it. */
import type { ProblemKind } from "../../packages/detect/test/fuzz/oracle.ts";

/** A failed case as plain data, which a worker sends to the main thread. */
export interface Failure {
  readonly seed: number;
  readonly index: number;
  readonly kind: ProblemKind;
  readonly detail: string;
  readonly smallest: string;
  /** The detector's options: tool names, format, and whether the text starts in a thought. */
  readonly reading: string;
}

const shownLength = 1500;

export function formatFailure(failure: Failure): string {
  const { seed, index, kind, detail, smallest, reading } = failure;
  return [
    `${kind}: --seed ${seed} --only ${index} (${reading})`,
    `  text    ${cut(JSON.stringify(smallest))}`,
    `  problem ${cut(detail)}`,
  ].join("\n");
}

function cut(text: string): string {
  return text.length > shownLength ? `${text.slice(0, shownLength)}... (${text.length} characters)` : text;
}
