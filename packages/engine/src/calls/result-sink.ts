/** Takes results as they come and hands them on in the order of the calls, each exactly once. */
import type { Achievement, ToolResult } from "@localharness/protocol";

export interface SunkResult {
  readonly id: string;
  readonly toolName: string;
  readonly result: ToolResult;
  readonly achieved: readonly Achievement[];
}

export interface ResultSink {
  /** A second result for the same call changes nothing. */
  settle(result: SunkResult): void;
  isSettled(id: string): boolean;
  /** All results handed on so far, in order. */
  readonly delivered: readonly SunkResult[];
}

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
