/** Follows the items of the running turn. Nothing that is printed as lines is drawn again, so no earlier turn is kept. */
import { createTimeline, type SessionEvent, type TimelineChange } from "@localharness/protocol";

/** Returns a function that takes the events of a session. `watch` is called with each change of an item. */
export function followItems(watch: (change: TimelineChange) => void): (event: SessionEvent) => void {
  let timeline = createTimeline(watch);
  return (event) => {
    timeline.take(event);
    if (event.type === "turn-end") timeline = createTimeline(watch);
  };
}

/** Returns the text that a change adds to the answer: a piece, or the plan with which a turn ends; otherwise undefined. */
export function addedText(change: TimelineChange): string | undefined {
  const { item } = change;
  if (change.kind === "grown") return item.kind === "answer" ? change.by : undefined;
  return item.kind === "end" && item.plan !== undefined ? `${item.plan.trimEnd()}\n` : undefined;
}

/** Returns true if a text of the model is finished or taken back, so that the line with it ends. */
export function endsText({ kind, item }: TimelineChange): boolean {
  return kind !== "grown" && (item.kind === "answer" || item.kind === "thought");
}
