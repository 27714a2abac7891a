/**
 * Loop guard: the last calls are remembered by canonical arguments. A read-only call that is asked again while nothing
 * it depends on has changed is answered from the earlier result, then with an instruction, then ends the iteration.
 * Alternating calls (A B A B) count, since the look back spans three calls.
 */
import type { JsonObject, JsonValue, ToolResult } from "@localharness/protocol";

const rememberedCalls = 10;
const lookBack = 3;

export interface RememberedCall {
  readonly key: string;
  readonly result: ToolResult;
  readonly fingerprint: string | undefined;
  /** How often something had been changed when it ran. */
  readonly changes: number;
  /** How often it has been asked again since its first answer. */
  readonly repeats: number;
}

export interface RepeatMemory {
  /** Oldest first. */
  readonly calls: readonly RememberedCall[];
  readonly changes: number;
}

export const emptyRepeatMemory: RepeatMemory = { calls: [], changes: 0 };

/** What to do about a call that repeats an earlier one. */
export type RepeatStep =
  | { readonly kind: "answer-again"; readonly earlier: RememberedCall }
  | { readonly kind: "instruct"; readonly earlier: RememberedCall }
  | { readonly kind: "end-iteration"; readonly earlier: RememberedCall };

/** The same text for the same call, whatever the order of its keys. */
export function callKey(tool: string, args: JsonObject): string {
  return `${tool} ${canonicalJson(args)}`;
}

export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`).join(",")}}`;
}

/** The call among the last three that this one repeats, if nothing was changed by a call in between. */
export function earlierCall(memory: RepeatMemory, key: string): RememberedCall | undefined {
  return memory.calls
    .slice(-lookBack)
    .findLast((call) => call.key === key && call.changes === memory.changes);
}

/** True when the mark of what the result depends on is known on both sides and equal: it need not run again. */
export function sameFingerprint(earlier: RememberedCall, fingerprint: string | undefined): boolean {
  return fingerprint !== undefined && earlier.fingerprint === fingerprint;
}

/** True when a call that did run again got what it had got before. */
export function sameOutcome(earlier: ToolResult, result: ToolResult): boolean {
  return (
    earlier.success === result.success &&
    earlier.data === result.data &&
    earlier.error_message === result.error_message
  );
}

export function repeatStep(earlier: RememberedCall): RepeatStep {
  if (earlier.repeats === 0) return { kind: "answer-again", earlier };
  return earlier.repeats === 1 ? { kind: "instruct", earlier } : { kind: "end-iteration", earlier };
}

/** Remembers a read-only call that ran, or one that was answered as a repeat of `earlier`. */
export function remember(
  memory: RepeatMemory,
  key: string,
  result: ToolResult,
  fingerprint: string | undefined,
  earlier?: RememberedCall,
): RepeatMemory {
  const call: RememberedCall = {
    key,
    // The first answer stays: an instruction given instead of it is not what the tool found.
    result: earlier?.result ?? result,
    fingerprint,
    changes: memory.changes,
    repeats: earlier === undefined ? 0 : earlier.repeats + 1,
  };
  return { ...memory, calls: [...memory.calls, call].slice(-rememberedCalls) };
}

/** After a call that may have changed something, earlier results are no longer known to hold. */
export function noteChange(memory: RepeatMemory): RepeatMemory {
  return { ...memory, changes: memory.changes + 1 };
}
