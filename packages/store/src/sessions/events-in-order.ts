/**
 * Collects the events of a file in the order of their `seq`, and counts missing, misnumbered and conflicting events.
 */
import type { SessionEvent } from "@localharness/protocol";

export interface EventsInOrder {
  readonly events: readonly SessionEvent[];
  /** The number of events that no record contains. */
  readonly lost: number;
  /** The number of events that were left out because the events after them show that their `seq` is damaged. */
  readonly misnumbered: number;
  /**
   * The number of events that were left out because another event has the same `seq`. That happens if two programs
   * write at once.
   */
  readonly clashing: number;
  /**
   * Adds an event. `first` is the lowest `seq` that its record covers. If `event.seq` is below the `seq` of the last event,
   * but `first` is above that of the last but one, the last event is misnumbered and is removed first. Returns false, and
   * adds nothing, if `event.seq` is then not above the last `seq`; counts it as clashing unless it is a repetition.
   */
  push(event: SessionEvent, first: number): boolean;
}

export function createEventsInOrder(): EventsInOrder {
  const events: SessionEvent[] = [];
  let last = 0;
  let lost = 0;
  let misnumbered = 0;
  let clashing = 0;
  /** The number of events that are missing right before the last event. */
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
      // This event follows the event before the last one, so the `seq` of the last event is damaged. If that event were
      // kept, all following events would be dropped.
      if (event.seq < last && first > before) {
        events.pop();
        lost -= gap;
        last = before;
        misnumbered += 1;
      }
      if (event.seq <= last) {
        // An identical event was written twice, because the disk took it but reported an error.
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

/** Returns the first event whose `seq` is not below this one. */
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
