/**
 * Events as they are written: deltas of one kind become one record, and what is only shown while it happens (arguments
 * that are coming, progress of a tool) is left out. What is written folds to the same view.
 */
import type { SessionEvent } from "@localharness/protocol";
import { eventLine } from "./session-record.ts";

type TextDelta = Extract<SessionEvent, { type: "text-delta" | "reasoning-delta" }>;

export interface EventJoiner {
  /** The lines that this event completes; often none. */
  push(event: SessionEvent): readonly string[];
  /** What is held back. */
  end(): readonly string[];
}

/** A joined record is not made longer than this many characters. */
const longest = 64 * 1024;

/** `mask` takes secrets out of an event before it is written; `after` is the last `seq` that is written already. */
export function createEventJoiner(mask: (event: SessionEvent) => SessionEvent, after: number): EventJoiner {
  let open: { event: TextDelta; pieces: string[]; chars: number } | undefined;
  let last = after;

  /** Stands for all events since the line before it: a reader sees by that whether one is missing. */
  const lineOf = (event: SessionEvent): string => {
    const first = last + 1;
    last = event.seq;
    return eventLine(mask(event), first, Date.now());
  };
  const end = (): readonly string[] => {
    if (open === undefined) return [];
    const { event, pieces } = open;
    open = undefined;
    return [lineOf({ ...event, text: pieces.join("") })];
  };
  return {
    push(event) {
      if (event.type === "tool-call-delta" || event.type === "tool-progress") {
        return [];
      }
      if (event.type !== "text-delta" && event.type !== "reasoning-delta") return [...end(), lineOf(event)];
      const { seq } = event;
      if (open !== undefined && open.event.type === event.type && open.event.turnId === event.turnId) {
        open.pieces.push(event.text);
        open.chars += event.text.length;
        open.event = { ...open.event, seq };
        return open.chars > longest ? end() : [];
      }
      const before = end();
      open = { event, pieces: [event.text], chars: event.text.length };
      return before;
    },
    end,
  };
}
