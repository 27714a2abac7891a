/**
 * Finds duplicates in the latest calls. If the model repeats a read-only call and nothing has changed, it gets the earlier
 * result; the second time it gets an instruction; the third time the iteration ends. Each call is compared with the three
 * read-only calls before it, so that alternating calls (A B A B) are found too.
 */
import type { JsonObject, JsonValue, ToolResult } from "@localharness/protocol";

const maxRemembered = 10;
const maxLookBack = 3;

export interface RememberedCall {
  readonly key: string;
  readonly result: ToolResult;
  readonly fingerprint: string | undefined;
  /** The value of `CallMemory.changes` when this call ran. */
  readonly changes: number;
  /** The number of times that the call was repeated after its first result. */
  readonly duplicates: number;
}

export interface CallMemory {
  /** The newest read-only calls, at most ten, oldest first. */
  readonly calls: readonly RememberedCall[];
  /** The number of calls so far that may have changed something. */
  readonly changes: number;
  /**
   * By the key of a call: the id and the fingerprint (`Tool.fingerprint`) of the latest such call that ran, if its result
   * was long enough that a note can point to it.
   */
  readonly shown: Readonly<Record<string, ShownResult>>;
}

export interface ShownResult {
  readonly callId: string;
  readonly fingerprint: string;
}

export const noCallsYet: CallMemory = { calls: [], changes: 0, shown: {} };

/** The reaction to a duplicate. */
export type DuplicateStep =
  | { readonly kind: "answer-again"; readonly earlier: RememberedCall }
  | { readonly kind: "instruct"; readonly earlier: RememberedCall }
  | { readonly kind: "end-iteration"; readonly earlier: RememberedCall };

/** Returns a text that is equal for equal calls, whatever the order of their argument keys. */
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

/**
 * Returns the newest call with this key among the last three remembered calls; undefined if there is none, or if a call may
 * have changed something since.
 */
export function earlierCall(memory: CallMemory, key: string): RememberedCall | undefined {
  return memory.calls
    .slice(-maxLookBack)
    .findLast((call) => call.key === key && call.changes === memory.changes);
}

/** Returns true if the fingerprint is known and the same as for the earlier call. */
export function sameFingerprint(earlier: RememberedCall, fingerprint: string | undefined): boolean {
  return fingerprint !== undefined && earlier.fingerprint === fingerprint;
}

/** Returns true if both results have the same data and the same error. */
export function sameOutcome(earlier: ToolResult, result: ToolResult): boolean {
  return (
    earlier.success === result.success &&
    earlier.data === result.data &&
    earlier.error_message === result.error_message
  );
}

/** Returns the reaction to a duplicate of this call. */
export function duplicateStep(earlier: RememberedCall): DuplicateStep {
  if (earlier.duplicates === 0) return { kind: "answer-again", earlier };
  return earlier.duplicates === 1 ? { kind: "instruct", earlier } : { kind: "end-iteration", earlier };
}

/** Returns the memory with one more read-only call, which has run or is a duplicate of `earlier`. */
export function remember(
  memory: CallMemory,
  key: string,
  result: ToolResult,
  fingerprint: string | undefined,
  earlier?: RememberedCall,
): CallMemory {
  const call: RememberedCall = {
    key,
    // Keeps the first result, because an instruction to the model is not a result of the tool.
    result: earlier?.result ?? result,
    fingerprint,
    changes: memory.changes,
    duplicates: earlier === undefined ? 0 : earlier.duplicates + 1,
  };
  return { ...memory, calls: [...memory.calls, call].slice(-maxRemembered) };
}

/** Returns the memory with the result that the model was shown; without it, if `shown` is undefined. */
export function rememberShown(memory: CallMemory, key: string, shown: ShownResult | undefined): CallMemory {
  const { [key]: _before, ...others } = memory.shown;
  return { ...memory, shown: shown === undefined ? others : { ...others, [key]: shown } };
}

/**
 * Returns the memory after a call that may have changed something. Earlier calls no longer count as duplicates; the results
 * in `shown` stay, because their fingerprints tell whether they still hold.
 */
export function noteChange(memory: CallMemory): CallMemory {
  return { ...memory, changes: memory.changes + 1 };
}
