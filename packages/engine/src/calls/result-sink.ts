/** Takes results in any order, and hands them on in the order of the calls, each exactly once. */
import type { Achievement, ToolResult } from "@localharness/protocol";

export interface SunkResult {
  readonly id: string;
  readonly toolName: string;
  readonly result: ToolResult;
  readonly achieved: readonly Achievement[];
  /** The change that the call made, as a unified diff. */
  readonly diff?: string;
}

export interface ResultSink {
  /** Takes the result of a call. A second one for the same call is ignored. */
  settle(result: SunkResult): void;
  isSettled(id: string): boolean;
  /** The results handed on so far, in order. */
  readonly delivered: readonly SunkResult[];
}

/** `order` has the ids of the calls. Each result goes to `deliver`, once the results before it have. */
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
