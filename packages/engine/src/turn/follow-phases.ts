/** Follows the phases of one model call, and emits each as an event when it begins. */
import type { ModelEvent, ModelPhase } from "@localharness/protocol";
import type { WaitingPhase } from "../model.ts";
import type { Turn } from "./turn.ts";

export interface PhaseFollower {
  /** Takes a phase that the model reports. Ignores the current phase, and every phase after the answer has begun. */
  enter(phase: WaitingPhase): void;
  /** Takes an event of the answer, before it is emitted. */
  take(event: ModelEvent): void;
  /** Ends the call: what the model reports from now on is ignored. */
  end(): void;
}

type Parts = Pick<Turn, "emit" | "model" | "pace"> & {
  readonly promptWindow: Pick<Turn["promptWindow"], "filling">;
  readonly batchParts: Pick<Turn["batchParts"], "clock">;
};

/** Returns the follower of a call that is about to begin. If the model reports no phase, no event is emitted. */
export function followPhases({ emit, model, pace, promptWindow, batchParts }: Parts): PhaseFollower {
  const { clock } = batchParts;
  /** The time of the first phase, which the model reports when the request begins. */
  let began: number | undefined;
  let current: ModelPhase | undefined;
  let isOver = false;
  let readingBegan: number | undefined;
  let readMs: number | undefined;

  const begin = (phase: ModelPhase, now: number) => {
    if (phase === "loading") readingBegan = undefined;
    if (phase === "reading") readingBegan = now;
    current = phase;
    began ??= now;
    const expected = phase === "reading" ? pace.expect(model(), promptWindow.filling().tokens) : {};
    emit({ type: "model-phase", phase, atMs: Math.round(now - began), ...expected });
  };
  const beginAnswer = (phase: "thinking" | "writing") => {
    if (current === phase || current === undefined) return;
    const now = clock.monotonic();
    if (readingBegan !== undefined) readMs ??= now - readingBegan;
    begin(phase, now);
  };

  return {
    enter(phase) {
      if (isOver || phase === current || current === "thinking" || current === "writing") return;
      begin(phase, clock.monotonic());
    },
    take(event) {
      switch (event.type) {
        case "reasoning-delta":
          beginAnswer("thinking");
          return;
        case "text-delta":
        case "tool-call-start":
        case "tool-call-delta":
        case "tool-call-end":
        case "tool-call-error":
          beginAnswer("writing");
          return;
        case "usage":
          if (current !== undefined) pace.learn(event, readMs);
          return;
        case "answer-restart":
        case "tool-call-withdrawn":
        case "prompt-progress":
        case "model-retry":
        case "model-end":
        case "model-error":
          return;
      }
    },
    end() {
      isOver = true;
    },
  };
}
