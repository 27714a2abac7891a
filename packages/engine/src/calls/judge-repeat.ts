/** Applies the guard against repeated calls to one call: before it runs, and to its result after it ran. */
import type { ToolResult } from "@localharness/protocol";
import type { Clock } from "../clock.ts";
import {
  earlierCall,
  noteChange,
  type RememberedCall,
  type RepeatMemory,
  type RepeatStep,
  remember,
  repeatStep,
  sameFingerprint,
  sameOutcome,
} from "../guards/repeats.ts";
import { refusal } from "../tool-result.ts";
import type { ReadyCall } from "./prepare-call.ts";
import { within } from "./within.ts";

const fingerprintMs = 1_000;

export interface RepeatGuard {
  /** The result to give instead of running the call, when it is known that it would be the same. */
  before(call: ReadyCall, signal: AbortSignal): Promise<Judged | undefined>;
  /** What to give for a call that has run. */
  after(call: ReadyCall, result: ToolResult): Judged;
}

export interface Judged {
  readonly result: ToolResult;
  /** True when the iteration is to end: the model has been told twice. */
  readonly endsIteration: boolean;
}

export function createRepeatGuard(memory: { current: RepeatMemory }, clock: Clock): RepeatGuard {
  const fingerprints = new Map<string, string | undefined>();
  const guarded = (call: ReadyCall) => call.tool.readOnly && call.tool.polls !== true;

  function repeated(call: ReadyCall, earlier: RememberedCall, fresh: ToolResult): Judged {
    const step = repeatStep(earlier);
    const result = answerFor(step, call, fresh, clock);
    memory.current = remember(memory.current, call.key, result, fingerprints.get(call.id), earlier);
    return { result, endsIteration: step.kind === "end-iteration" };
  }

  return {
    async before(call, signal) {
      if (!guarded(call) || call.tool.fingerprint === undefined) return undefined;
      const fingerprint = await within(
        fingerprintMs,
        signal,
        async () => await call.tool.fingerprint?.(call.arguments),
      );
      fingerprints.set(call.id, fingerprint);
      const earlier = earlierCall(memory.current, call.key);
      // What failed may go well the next time: only a success stands for what the tool would find.
      if (!earlier?.result.success || !sameFingerprint(earlier, fingerprint)) return undefined;
      return repeated(call, earlier, earlier.result);
    },
    after(call, result) {
      if (!call.tool.readOnly) memory.current = noteChange(memory.current);
      if (!guarded(call)) return { result, endsIteration: false };
      const earlier = earlierCall(memory.current, call.key);
      // A call whose result differs from the last one is polling, and stays legal.
      if (earlier !== undefined && sameOutcome(earlier.result, result))
        return repeated(call, earlier, result);
      memory.current = remember(memory.current, call.key, result, fingerprints.get(call.id));
      return { result, endsIteration: false };
    },
  };
}

function answerFor(step: RepeatStep, call: ReadyCall, fresh: ToolResult, clock: Clock): ToolResult {
  switch (step.kind) {
    case "answer-again": {
      const note =
        "you made this same call before and nothing it depends on has changed: this is the same result. Use it, or do something else";
      return { ...fresh, notes: [...(step.earlier.result.notes ?? []), note] };
    }
    case "instruct":
      return refusal(
        "validation_failed",
        `you have now made this same ${call.tool.name} call three times and its result has not changed. Its result is above. Do not call it again: take the next step with another tool or other arguments, or answer the person`,
        clock,
      );
    case "end-iteration":
      return refusal(
        "validation_failed",
        `${call.tool.name} was called again with the same arguments after you were told not to. The iteration ends here. Say what you found and what is missing`,
        clock,
      );
  }
}
