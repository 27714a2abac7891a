/** Puts the events of a file in the order of their numbers, and counts by these what is missing. */
import type { SessionEvent } from "@localharness/protocol";

export interface EventsInOrder {
  readonly events: readonly SessionEvent[];
  /** Events that no record stands for. */
  readonly lost: number;
  /** Events that were left out because what followed shows that their number is damaged. */
  readonly misnumbered: number;
  /** Events that were left out because another one has their number: two programs wrote at once. */
  readonly clashing: number;
  /** `first` is the number of the first event that the record stands for. False for what is there already. */
  push(event: SessionEvent, first: number): boolean;
}

export function createEventsInOrder(): EventsInOrder {
  const events: SessionEvent[] = [];
  let last = 0;
  let lost = 0;
  let misnumbered = 0;
  let clashing = 0;
  /** Events that are missing before the last one. */
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
      // It goes on before the last one, whose number must not hide all that follows.
      if (event.seq < last && first > before) {
        events.pop();
        lost -= gap;
        last = before;
        misnumbered += 1;
      }
      if (event.seq <= last) {
        // The same is what was written twice, because the disk took it and said that it had not.
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

/** The event with that number, or the one whose record stands for it. */
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
