/** Runs the hooks of a session, records these runs, and warns the person when a hook fails. */
import {
  defined,
  type LoopEvent,
  reasonOf,
  type ToolResult,
  type TurnEndReason,
} from "@localharness/protocol";
import type { HookAnswer, HookEvent, HookedCall, Hooks, TurnMark } from "../hooks.ts";
import type { PolicyQuestion } from "../policy/rule.ts";
import type { Mask } from "./mask-text.ts";
import type { CallRecorder } from "./record-calls.ts";

/** Runs the hooks of one turn. No method rejects. */
export interface HookDesk {
  /** Resolves to the reason of a hook that blocks the call; undefined if none does, or if `Hooks.beforeTool` rejects. */
  before(callId: string, question: PolicyQuestion, signal: AbortSignal): Promise<string | undefined>;
  /** Resolves to the result, with the notes that hooks add for the model. */
  after(
    callId: string,
    question: PolicyQuestion,
    result: ToolResult,
    signal: AbortSignal,
  ): Promise<ToolResult>;
  /** Shows the person the hooks' notes. Resolves to the reason why the turn must continue; undefined if it may end. */
  atEnd(reason: TurnEndReason, signal: AbortSignal): Promise<string | undefined>;
}

export interface HookDeskParts {
  readonly hooks: Hooks | undefined;
  readonly turn: TurnMark;
  readonly recorder: CallRecorder;
  readonly mask: Mask;
  emit(event: Extract<LoopEvent, { type: "notice" }>): void;
}

const noHooks: HookDesk = {
  before: () => Promise.resolve(undefined),
  after: (_callId, _question, result) => Promise.resolve(result),
  atEnd: () => Promise.resolve(undefined),
};

/** Returns the functions that run the hooks; without hooks they block nothing. */
export function createHookDesk(parts: HookDeskParts): HookDesk {
  const { hooks, turn, recorder, mask } = parts;
  if (hooks === undefined) return noHooks;

  async function consult(event: HookEvent, callId: string, ask: () => Promise<HookAnswer>) {
    try {
      const answer = await ask();
      recorder.hooked(callId, event, answer.ran ?? []);
      for (const warning of answer.warnings ?? []) warn(warning);
      return answer;
    } catch (error) {
      warn(`the ${event} hooks failed: ${reasonOf(error)}`);
      return {};
    }
  }
  function warn(message: string): void {
    parts.emit({ type: "notice", level: "warning", code: "hook-failed", message: mask(message) });
  }

  return {
    async before(callId, question, signal) {
      const answer = await consult("before-tool", callId, () =>
        hooks.beforeTool(hooked(callId, question, turn), signal),
      );
      return answer.block;
    },
    async after(callId, question, result, signal) {
      const { notes = [] } = await consult("after-tool", callId, () =>
        hooks.afterTool(hooked(callId, question, turn), result, signal),
      );
      return notes.length === 0 ? result : { ...result, notes: [...(result.notes ?? []), ...notes] };
    },
    async atEnd(reason, signal) {
      const { block, notes = [] } = await consult("turn-end", "", () => hooks.turnEnd(turn, reason, signal));
      for (const note of notes)
        parts.emit({ type: "notice", level: "info", code: "hook", message: mask(note) });
      return block === undefined ? undefined : mask(block);
    },
  };
}

function hooked(
  callId: string,
  { tool, arguments: args, facts }: PolicyQuestion,
  turn: TurnMark,
): HookedCall {
  return {
    turn,
    callId,
    tool,
    arguments: args,
    ...defined({ paths: facts.paths }),
  };
}
