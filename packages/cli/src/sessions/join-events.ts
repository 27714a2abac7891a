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

/** `mask` takes secrets out of an event before it is written. */
export function createEventJoiner(mask: (event: SessionEvent) => SessionEvent): EventJoiner {
  let open: { event: TextDelta; first: number; pieces: string[]; chars: number } | undefined;
  /** The first of the events that were left out since the last line. */
  let leftOut: number | undefined;

  const lineOf = (event: SessionEvent, first: number): string => {
    const from = leftOut ?? first;
    leftOut = undefined;
    return eventLine(mask(event), from, Date.now());
  };
  const end = (): readonly string[] => {
    if (open === undefined) return [];
    const { event, first, pieces } = open;
    open = undefined;
    return [lineOf({ ...event, text: pieces.join("") }, first)];
  };
  return {
    push(event) {
      if (event.type === "tool-call-delta" || event.type === "tool-progress") {
        if (open === undefined) leftOut ??= event.seq;
        else open = { ...open, event: { ...open.event, seq: event.seq } };
        return [];
      }
      if (event.type !== "text-delta" && event.type !== "reasoning-delta")
        return [...end(), lineOf(event, event.seq)];
      const { seq } = event;
      if (open !== undefined && open.event.type === event.type && open.event.turnId === event.turnId) {
        open.pieces.push(event.text);
        open.chars += event.text.length;
        open.event = { ...open.event, seq };
        return open.chars > longest ? end() : [];
      }
      const before = end();
      open = { event, first: seq, pieces: [event.text], chars: event.text.length };
      return before;
    },
    end,
  };
}
