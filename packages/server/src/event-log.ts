/**
 * Keeps the events of an open session for clients that connect or come back. The newest events are kept as they were
 * sent. Of older ones, consecutive deltas are joined, and events that matter only while they happen are dropped.
 */
import type { SessionEvent } from "@localharness/protocol";
import { passingEvents } from "./passing-events.ts";

export interface EventLog {
  push(event: SessionEvent): void;
  /** Returns the events for a client that has all events up to `after`; 0 for a client that has none. */
  since(after: number): EventsSince;
  /** Returns the `seq` of the newest event; 0 without events. */
  last(): number;
}

export interface EventsSince {
  readonly events: readonly SessionEvent[];
  /** True if `events` begins with the first event, so that the client drops what it has. */
  readonly whole: boolean;
}

/** The minimum number of newest events that are kept as they were sent. */
const maxRecent = 4_096;

/** `history` has the events from before the session was opened. */
export function createEventLog(history: readonly SessionEvent[]): EventLog {
  const settled: SessionEvent[] = [...history];
  let recent: SessionEvent[] = [];
  let last = history.at(-1)?.seq ?? 0;
  /** The `seq` of the newest event in `settled`. A client that has this event needs only events of `recent`. */
  let settledTo = last;

  const settle = () => {
    const old = recent.slice(0, maxRecent);
    recent = recent.slice(maxRecent);
    settledTo = old.at(-1)?.seq ?? settledTo;
    for (const event of old) addSettled(settled, event);
  };

  return {
    push(event) {
      recent.push(event);
      last = event.seq;
      if (recent.length >= 2 * maxRecent) settle();
    },
    since(after) {
      if (after >= settledTo && after <= last && after > 0) {
        return { events: recent.filter(({ seq }) => seq > after), whole: false };
      }
      return { events: [...settled, ...recent], whole: true };
    },
    last: () => last,
  };
}

function addSettled(settled: SessionEvent[], event: SessionEvent): void {
  if (passingEvents.has(event.type)) return;
  const before = settled.at(-1);
  const joined = before === undefined ? undefined : join(before, event);
  if (joined === undefined) settled.push(event);
  else settled[settled.length - 1] = joined;
}

/** Returns both deltas as one event with the `seq` of the second; undefined when they are not deltas of one text. */
function join(before: SessionEvent, event: SessionEvent): SessionEvent | undefined {
  if (before.turnId !== event.turnId) return undefined;
  if (event.type !== "text-delta" && event.type !== "reasoning-delta") return undefined;
  if (before.type !== event.type) return undefined;
  return { ...event, text: before.text + event.text };
}
