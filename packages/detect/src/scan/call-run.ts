/** Keeps the events of the calls at the end of the reply so far, in case the reply turns out to be a thought that ends with them. */
import type { DetectEvent } from "../types.ts";

/** A list of events, the last one first, so that adding one takes the same time however many there are. */
interface Link {
  readonly event: DetectEvent;
  readonly before: Link | undefined;
}

export interface CallRun {
  readonly last: Link | undefined;
  /** The offset in the reply at which the first of the calls begins; undefined while it is being read. */
  readonly from: number | undefined;
}

export const noRun: CallRun = { last: undefined, from: undefined };

/** Returns the run with one more event of a call. Deltas of one call are joined. */
export function withEvent({ last, from }: CallRun, event: DetectEvent): CallRun {
  const joins = last?.event.type === "tool-call-delta" && event.type === "tool-call-delta";
  if (!joins) return { last: { event, before: last }, from };
  const argumentsText = last.event.argumentsText + event.argumentsText;
  return { last: { event: { ...event, argumentsText }, before: last.before }, from };
}

/** Returns the events of the run, the first one first. */
export function eventsOf({ last }: CallRun): DetectEvent[] {
  const events: DetectEvent[] = [];
  for (let link = last; link !== undefined; link = link.before) events.push(link.event);
  return events.reverse();
}
