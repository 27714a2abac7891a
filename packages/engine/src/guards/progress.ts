/** Loop guard: iterations in which nothing was achieved and nothing new was learnt are counted. */
import type { Achievement, ToolResult } from "@localharness/protocol";

const idleIterations = 5;

export interface Progress {
  readonly idle: number;
  /** Fingerprints of the results seen in this turn. */
  readonly seen: ReadonlySet<string>;
  readonly warned: boolean;
}

export const noProgressYet: Progress = { idle: 0, seen: new Set(), warned: false };

export interface Outcome {
  readonly result: ToolResult;
  readonly achieved: readonly Achievement[];
}

/** The count after an iteration. A result, also of a failed run, is new information when its data has not come before in this turn. */
export function afterIteration(progress: Progress, outcomes: readonly Outcome[]): Progress {
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

/** True once a turn, when the count has reached its limit. */
export function isStuck(progress: Progress): boolean {
  return !progress.warned && progress.idle >= idleIterations;
}

/** Length and FNV-1a hash: enough to tell results apart without keeping them. */
function mark(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return `${text.length}:${hash >>> 0}`;
}
