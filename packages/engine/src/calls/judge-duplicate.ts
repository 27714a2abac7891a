/** Applies the guard against duplicates to one call, before it runs and after it has run. */
import type { ToolResult } from "@localharness/protocol";
import type { Clock } from "../clock.ts";
import {
  type CallMemory,
  type DuplicateStep,
  duplicateStep,
  earlierCall,
  noteChange,
  type RememberedCall,
  remember,
  sameFingerprint,
  sameOutcome,
} from "../guards/duplicates.ts";
import { refusal } from "../tool-result.ts";
import type { ReadyCall } from "./prepare-call.ts";
import { lastTimeText, sameResultNote, thirdTimeText } from "./texts.ts";
import { within } from "./within.ts";

const maxFingerprintMs = 1_000;

export interface DuplicateGuard {
  /** Resolves to the result for a duplicate, which is not run; undefined if the call must run. */
  before(call: ReadyCall, signal: AbortSignal): Promise<Judged | undefined>;
  /** Returns the result for the model of a call that has run. */
  after(call: ReadyCall, result: ToolResult): Judged;
}

export interface Judged {
  readonly result: ToolResult;
  /** True if the iteration must end, because the model was told twice not to repeat the call. */
  readonly endsIteration: boolean;
}

/** Returns the guard for the calls of one iteration. `memory` has the calls of earlier iterations. */
export function createDuplicateGuard(memory: { current: CallMemory }, clock: Clock): DuplicateGuard {
  const fingerprints = new Map<string, string | undefined>();
  const isGuarded = (call: ReadyCall) => call.tool.readOnly && call.tool.polls !== true;

  function duplicate(call: ReadyCall, earlier: RememberedCall, result: ToolResult): Judged {
    const step = duplicateStep(earlier);
    const given = resultFor(step, call, result, clock);
    memory.current = remember(memory.current, call.key, given, fingerprints.get(call.id), earlier);
    return { result: given, endsIteration: step.kind === "end-iteration" };
  }

  return {
    async before(call, signal) {
      if (!isGuarded(call) || call.tool.fingerprint === undefined) return undefined;
      const fingerprint = await within(
        maxFingerprintMs,
        signal,
        async () => await call.tool.fingerprint?.(call.arguments),
      );
      fingerprints.set(call.id, fingerprint);
      const earlier = earlierCall(memory.current, call.key);
      // A failed call runs again, because it may succeed this time.
      if (!earlier?.result.success || !sameFingerprint(earlier, fingerprint)) return undefined;
      return duplicate(call, earlier, earlier.result);
    },
    after(call, result) {
      if (!call.tool.readOnly) memory.current = noteChange(memory.current);
      if (!isGuarded(call)) return { result, endsIteration: false };
      const earlier = earlierCall(memory.current, call.key);
      // A result that differs from the last one means that the model is polling, which is allowed.
      if (earlier !== undefined && sameOutcome(earlier.result, result)) {
        return duplicate(call, earlier, result);
      }
      memory.current = remember(memory.current, call.key, result, fingerprints.get(call.id));
      return { result, endsIteration: false };
    },
  };
}

function resultFor(step: DuplicateStep, call: ReadyCall, result: ToolResult, clock: Clock): ToolResult {
  switch (step.kind) {
    case "answer-again":
      return { ...result, notes: [...(step.earlier.result.notes ?? []), sameResultNote] };
    case "instruct":
      return refusal("validation_failed", thirdTimeText(call.tool.name), clock);
    case "end-iteration":
      return refusal("validation_failed", lastTimeText(call.tool.name), clock);
  }
}
