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
  rememberShown,
  sameFingerprint,
  sameOutcome,
} from "../guards/duplicates.ts";
import { refusal, toResult } from "../tool-result.ts";
import type { ReadyCall } from "./prepare-call.ts";
import { lastTimeText, sameResultNote, stillThereText, thirdTimeText } from "./texts.ts";
import { within } from "./within.ts";

const maxFingerprintMs = 1_000;
/** A result with fewer characters is given again, because a note that points to it would hardly be shorter. */
const minPointedChars = 1_000;

export interface DuplicateGuard {
  before(call: ReadyCall, signal: AbortSignal): Promise<Before>;
  /** Returns the result for the model of a call that has run. `fingerprint` is what `before` read. */
  after(call: ReadyCall, result: ToolResult, fingerprint: string | undefined): Judged;
}

interface Before {
  readonly fingerprint?: string | undefined;
  /** The result for a duplicate, which is not run; absent if the call must run. */
  readonly duplicate?: Judged | undefined;
}

export interface Judged {
  readonly result: ToolResult;
  /** True if the iteration must end, because the model was told twice not to repeat the call. */
  readonly endsIteration: boolean;
}

/**
 * Returns the guard for the calls of one batch. `memory` has the earlier calls and gets those of the batch. `isSentWhole`
 * returns true if the next prompt has the whole result of a call.
 */
export function createDuplicateGuard(
  memory: { current: CallMemory },
  clock: Clock,
  isSentWhole: (callId: string) => boolean,
): DuplicateGuard {
  const isGuarded = (call: ReadyCall) => call.tool.readOnly && call.tool.polls !== true;

  function again(
    call: ReadyCall,
    earlier: RememberedCall,
    result: ToolResult,
    fingerprint: string | undefined,
  ): Judged {
    const step = duplicateStep(earlier);
    const given = resultFor(step, call, result, clock);
    memory.current = remember(memory.current, call.key, given, fingerprint, earlier);
    return { result: given, endsIteration: step.kind === "end-iteration" };
  }

  /**
   * Returns a note that points the model to the earlier result of the same call; undefined if the fingerprint has changed or
   * the next prompt does not contain that result. Points to each result only once.
   */
  function pointer(call: ReadyCall, fingerprint: string | undefined): Judged | undefined {
    const shown = memory.current.shown[call.key];
    if (shown?.fingerprint !== fingerprint || shown === undefined) return undefined;
    if (!isSentWhole(shown.callId)) return undefined;
    memory.current = rememberShown(memory.current, call.key, undefined);
    const result = toResult({ ok: true, data: stillThereText }, clock, 0, []);
    return { result, endsIteration: false };
  }

  function noteShown(call: ReadyCall, { success, data }: ToolResult, fingerprint: string | undefined): void {
    const isLong = success && (data?.length ?? 0) >= minPointedChars;
    const shown = fingerprint !== undefined && isLong ? { callId: call.id, fingerprint } : undefined;
    memory.current = rememberShown(memory.current, call.key, shown);
  }

  return {
    async before(call, signal) {
      if (!isGuarded(call) || call.tool.fingerprint === undefined) return {};
      const fingerprint = await within(
        maxFingerprintMs,
        signal,
        async () => await call.tool.fingerprint?.(call.arguments),
      );
      const earlier = earlierCall(memory.current, call.key);
      // A failed call runs again, because it may succeed this time.
      const isDuplicate = earlier?.result.success === true && sameFingerprint(earlier, fingerprint);
      const duplicate = isDuplicate
        ? again(call, earlier, earlier.result, fingerprint)
        : pointer(call, fingerprint);
      return { fingerprint, duplicate };
    },
    after(call, result, fingerprint) {
      if (!call.tool.readOnly) memory.current = noteChange(memory.current);
      if (!isGuarded(call)) return { result, endsIteration: false };
      const earlier = earlierCall(memory.current, call.key);
      // A result that differs from the last result means that the model is polling, which is allowed.
      if (earlier !== undefined && sameOutcome(earlier.result, result)) {
        return again(call, earlier, result, fingerprint);
      }
      memory.current = remember(memory.current, call.key, result, fingerprint);
      noteShown(call, result, fingerprint);
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
