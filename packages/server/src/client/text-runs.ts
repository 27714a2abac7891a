/**
 * Removes from deltas the text that a client already has. A server that sends a session again joins consecutive deltas,
 * and a client may have had only the beginning of the joined text.
 */
import type { SessionEvent } from "@localharness/protocol";
import { passingEvents } from "../passing-events.ts";

export interface TextRuns {
  /** Called before the events of each connection. `whole` is true if they begin with the first event of the session. */
  begin(whole: boolean): void;
  /** Takes an event that the client has had before. */
  repeat(event: SessionEvent): void;
  /** Returns an event that is new to the client, without the text that the client has had. */
  pass(event: SessionEvent): SessionEvent;
}

/** A run is a number of consecutive deltas of one kind. */
interface Run {
  readonly type: SessionEvent["type"];
  readonly chars: number;
}

export function createTextRuns(): TextRuns {
  /** The newest run among the events that were passed on. */
  let passed: Run | undefined;
  /** The newest run among the events that came again. */
  let repeated: Run | undefined;
  let isRepeating = false;
  return {
    begin(whole) {
      repeated = undefined;
      isRepeating = whole;
    },
    repeat(event) {
      repeated = longer(repeated, event);
    },
    pass(event) {
      if (passingEvents.has(event.type)) return event;
      const known = isRepeating && passed?.type === event.type ? passed.chars - charsOf(repeated, event) : 0;
      isRepeating = false;
      const rest = known > 0 && isDelta(event) ? { ...event, text: event.text.slice(known) } : event;
      passed = longer(passed, rest);
      return rest;
    },
  };
}

function isDelta(
  event: SessionEvent,
): event is Extract<SessionEvent, { type: "text-delta" | "reasoning-delta" }> {
  return event.type === "text-delta" || event.type === "reasoning-delta";
}

function charsOf(run: Run | undefined, { type }: SessionEvent): number {
  return run?.type === type ? run.chars : 0;
}

function longer(run: Run | undefined, event: SessionEvent): Run | undefined {
  if (passingEvents.has(event.type)) return run;
  if (!isDelta(event)) return undefined;
  return { type: event.type, chars: charsOf(run, event) + event.text.length };
}
