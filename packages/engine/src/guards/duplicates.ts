/**
 * The guard against duplicates remembers the last calls. A read-only call that is made again while nothing has changed
 * gets the earlier result, then an instruction, and the time after that ends the iteration. It looks back over three
 * calls, so that calls in turns (A B A B) count as well.
 */
import type { JsonObject, JsonValue, ToolResult } from "@localharness/protocol";

const maxRemembered = 10;
const maxLookBack = 3;

export interface RememberedCall {
  readonly key: string;
  readonly result: ToolResult;
  readonly fingerprint: string | undefined;
  /** How many calls had changed something when this one ran. */
  readonly changes: number;
  /** How often it was made again since its first result. */
  readonly duplicates: number;
}

export interface CallMemory {
  /** Oldest first. */
  readonly calls: readonly RememberedCall[];
  readonly changes: number;
}

export const noCallsYet: CallMemory = { calls: [], changes: 0 };

/** What to do about a duplicate. */
export type DuplicateStep =
  | { readonly kind: "answer-again"; readonly earlier: RememberedCall }
  | { readonly kind: "instruct"; readonly earlier: RememberedCall }
  | { readonly kind: "end-iteration"; readonly earlier: RememberedCall };

/** Returns the same text for the same call, whatever the order of its keys. */
export function callKey(tool: string, args: JsonObject): string {
  return `${tool} ${canonicalJson(args)}`;
}

/** Returns the value as JSON, with sorted keys. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`).join(",")}}`;
}

/** Returns the same call among the last three, unless a mutating call came between. */
export function earlierCall(memory: CallMemory, key: string): RememberedCall | undefined {
  return memory.calls
    .slice(-maxLookBack)
    .findLast((call) => call.key === key && call.changes === memory.changes);
}

/** Returns true when the fingerprint of what the result depends on is known, and the same as before. */
export function sameFingerprint(earlier: RememberedCall, fingerprint: string | undefined): boolean {
  return fingerprint !== undefined && earlier.fingerprint === fingerprint;
}

/** Returns true when both results have the same data and the same error. */
export function sameOutcome(earlier: ToolResult, result: ToolResult): boolean {
  return (
    earlier.success === result.success &&
    earlier.data === result.data &&
    earlier.error_message === result.error_message
  );
}

/** Returns what to do about a duplicate of this call. */
export function duplicateStep(earlier: RememberedCall): DuplicateStep {
  if (earlier.duplicates === 0) return { kind: "answer-again", earlier };
  return earlier.duplicates === 1 ? { kind: "instruct", earlier } : { kind: "end-iteration", earlier };
}

/** Returns the memory with one more read-only call: one that ran, or a duplicate of `earlier`. */
export function remember(
  memory: CallMemory,
  key: string,
  result: ToolResult,
  fingerprint: string | undefined,
  earlier?: RememberedCall,
): CallMemory {
  const call: RememberedCall = {
    key,
    // The first result is kept: an instruction to the model is not what the tool found.
    result: earlier?.result ?? result,
    fingerprint,
    changes: memory.changes,
    duplicates: earlier === undefined ? 0 : earlier.duplicates + 1,
  };
  return { ...memory, calls: [...memory.calls, call].slice(-maxRemembered) };
}

/** Returns the memory after a call that may have changed something: earlier results no longer count. */
export function noteChange(memory: CallMemory): CallMemory {
  return { ...memory, changes: memory.changes + 1 };
}
