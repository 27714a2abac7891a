/** Takes results in any order and delivers each exactly once, in the order of the calls. */
import type { Achievement, ImageContent, ToolResult } from "@localharness/protocol";

export interface SunkResult {
  readonly id: string;
  readonly toolName: string;
  readonly result: ToolResult;
  /** The reason of a failure in words for the person; absent if the result's message is for both. */
  readonly why?: string;
  readonly achieved: readonly Achievement[];
  /** The change that the call made, as a unified diff. */
  readonly diff?: string;
  /** The images of the result, which its message does not contain. */
  readonly images?: readonly ImageContent[];
}

export interface ResultSink {
  /** Takes the result of a call. Ignores a second result for the same call. */
  settle(result: SunkResult): void;
  isSettled(id: string): boolean;
  /** The results delivered so far, in order. */
  readonly delivered: readonly SunkResult[];
}

/**
 * Returns a sink for the calls with the ids in `order`. Each result is passed to `deliver` once all results before it were
 * delivered.
 */
export function createResultSink(
  order: readonly string[],
  deliver: (result: SunkResult) => void,
): ResultSink {
  const waiting = new Map<string, SunkResult>();
  const delivered: SunkResult[] = [];
  const settled = new Set<string>();
  return {
    settle(result) {
      if (settled.has(result.id)) return;
      settled.add(result.id);
      waiting.set(result.id, result);
      for (let next = order[delivered.length]; next !== undefined; next = order[delivered.length]) {
        const ready = waiting.get(next);
        if (ready === undefined) return;
        waiting.delete(next);
        delivered.push(ready);
        deliver(ready);
      }
    },
    isSettled: (id) => settled.has(id),
    delivered,
  };
}
