/** Detects turns without progress: counts the iterations that achieved nothing and gave no new result. */
import type { Achievement, ToolResult } from "@localharness/protocol";

const maxIdleIterations = 5;

export interface Progress {
  /** The number of consecutive iterations without progress. */
  readonly idle: number;
  /** Hashes of the results of this turn. */
  readonly seen: ReadonlySet<string>;
  readonly warned: boolean;
}

export const noProgressYet: Progress = { idle: 0, seen: new Set(), warned: false };

export interface CallOutcome {
  readonly result: ToolResult;
  readonly achieved: readonly Achievement[];
}

/** Returns the count after an iteration. Data that is new in this turn is progress, even from a failed run. */
export function afterIteration(progress: Progress, outcomes: readonly CallOutcome[]): Progress {
  const achieved = outcomes.some((outcome) => outcome.achieved.length > 0);
  const marks = outcomes
    .filter(({ result }) => result.success || result.data !== null)
    .map(({ result }) => mark(result.data ?? ""));
  const learnt = marks.some((one) => !progress.seen.has(one));
  return {
    idle: achieved || learnt ? 0 : progress.idle + 1,
    seen: new Set([...progress.seen, ...marks]),
    warned: progress.warned,
  };
}

/** Returns true if the count has reached its limit and there was no warning in this turn. */
export function isStuck(progress: Progress): boolean {
  return !progress.warned && progress.idle >= maxIdleIterations;
}

/** Returns the length and an FNV-1a hash of a text, so that results can be compared without being kept. */
function mark(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return `${text.length}:${hash >>> 0}`;
}
