/** Collects the events of a file in the order of their `seq`, and counts missing, misnumbered and conflicting ones. */
import type { SessionEvent } from "@localharness/protocol";

export interface EventsInOrder {
  readonly events: readonly SessionEvent[];
  /** Number of events that no record contains. */
  readonly lost: number;
  /** Number of events left out because the events after them show that their `seq` is damaged. */
  readonly misnumbered: number;
  /** Number of events left out because another one has the same `seq`: two programs wrote at once. */
  readonly clashing: number;
  /**
   * Adds an event; `first` is the lowest `seq` that its record covers. Returns false for an event that is there
   * already.
   */
  push(event: SessionEvent, first: number): boolean;
}

export function createEventsInOrder(): EventsInOrder {
  const events: SessionEvent[] = [];
  let last = 0;
  let lost = 0;
  let misnumbered = 0;
  let clashing = 0;
  /** Number of events missing right before the last one. */
  let gap = 0;
  return {
    events,
    get lost() {
      return lost;
    },
    get clashing() {
      return clashing;
    },
    get misnumbered() {
      return misnumbered;
    },
    push(event, first) {
      const before = events.at(-2)?.seq ?? 0;
      // This event follows the one before the last. So the number of the last event is damaged. If it were kept, the
      // following events would be dropped.
      if (event.seq < last && first > before) {
        events.pop();
        lost -= gap;
        last = before;
        misnumbered += 1;
      }
      if (event.seq <= last) {
        // An identical event was written twice: the disk took it but reported an error.
        if (JSON.stringify(withNumber(events, event.seq)) !== JSON.stringify(event)) clashing += 1;
        return false;
      }
      gap = Math.max(0, first - last - 1);
      lost += gap;
      last = event.seq;
      events.push(event);
      return true;
    },
  };
}

/** Returns the event with that `seq`, or the joined event whose record covers it. */
function withNumber(events: readonly SessionEvent[], seq: number): SessionEvent | undefined {
  let from = 0;
  let to = events.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((events[middle]?.seq ?? 0) < seq) from = middle + 1;
    else to = middle;
  }
  return events[from];
}
