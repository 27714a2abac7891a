/** The readings that leave words of the input out of all events. Each is a row of docs/formats.md; anything else is a loss. */
import type { DetectEvent, Repair } from "../../src/index.ts";

export interface Loss {
  readonly word: string;
  readonly before: string;
  readonly after: string;
  /** The events that the word can have been a part of. */
  readonly near: readonly DetectEvent[];
}

type Explains = (loss: Loss) => boolean;

const readings: readonly (readonly [string, Explains])[] = [
  ["a key that is dropped, and reported as dropped-key", (loss) => reported(loss, "dropped-key")],
  ["a key under another name, reported as argument-key", (loss) => reported(loss, "argument-key")],
  ["a comment, reported as comment", (loss) => reported(loss, "comment")],
  [
    "the name of an end tag inside a call",
    ({ before, after }) => /<\/[^<>]*$/.test(before) && /^[^<>]*>/.test(after),
  ],
  ["half a mark where a message breaks off", ({ before, after }) => /<\|$/.test(before) && after === ""],
  [
    "the header of a message",
    ({ before, after }) =>
      /<\|(?:start|channel)\|>[^\n]*$/.test(before) && /^[^\n]*<\|message\|>/.test(after),
  ],
];

/** The reading that explains the loss; undefined when none does. */
export function readingOf(loss: Loss): string | undefined {
  return readings.find(([, explains]) => explains(loss))?.[0];
}

function reported({ near }: Loss, repair: Repair): boolean {
  return near.some((event) => event.type === "tool-call-end" && event.repairs.includes(repair));
}
