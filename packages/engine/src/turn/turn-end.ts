/** The event that ends a turn. */
import type { LoopEvent } from "@localharness/protocol";

export type TurnEnd = Extract<LoopEvent, { type: "turn-end" }>;
