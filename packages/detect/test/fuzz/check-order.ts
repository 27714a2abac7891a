/**
 * Checks the order of events: one open call at a time, each start with exactly one end or error, no delta after that.
 */
import type { DetectEvent } from "../../src/index.ts";

/** Returns what is wrong with the order; undefined when nothing is. */
export function checkOrder(events: readonly DetectEvent[]): string | undefined {
  let open: { readonly index: number; readonly name: string } | undefined;
  let last = -1;
  for (const event of events) {
    switch (event.type) {
      case "text-delta":
      case "reasoning-delta":
        if (event.text === "") return "an empty delta";
        if (open) return `text inside the open call ${open.index}`;
        break;
      case "tool-call-start":
        if (open) return `call ${event.index} starts inside call ${open.index}`;
        if (event.index <= last) return `call ${event.index} starts behind call ${last}`;
        last = event.index;
        open = event;
        break;
      case "tool-call-delta":
        if (open?.index !== event.index) return `a delta of call ${event.index}, which is not open`;
        break;
      case "tool-call-end":
        if (open?.index !== event.index) return `an end of call ${event.index}, which is not open`;
        if (open.name !== event.name) {
          return `call ${event.index} starts as ${open.name}, ends as ${event.name}`;
        }
        open = undefined;
        break;
      case "tool-call-error":
        if (event.raw === "") return "an error without its raw text";
        if (open && event.name !== open.name) {
          return `an error of ${event.name} inside the call of ${open.name}`;
        }
        open = undefined;
        break;
    }
  }
  return open && `call ${open.index} of ${open.name} has no end`;
}
