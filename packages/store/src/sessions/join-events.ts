/**
 * Turns events into the lines of a session's file. Consecutive deltas of one kind become one record. Events that matter
 * only while they happen (argument deltas, phases, progress of a tool or a prompt) are left out, and known secrets are
 * masked. Apart from the secrets, folding the lines gives the same view.
 */
import type { SessionEvent } from "@localharness/protocol";
import { maskEvent } from "./mask-event.ts";
import { eventLine } from "./session-record.ts";
import { type Masking, maskAfter, openEnd } from "./split-secret.ts";

type TextDelta = Extract<SessionEvent, { type: "text-delta" | "reasoning-delta" }>;

export interface EventJoiner {
  /** Adds an event. Returns the lines that it completes, often none. */
  push(event: SessionEvent): readonly string[];
  /** Returns the buffered lines. Deltas at the end stay in the buffer if a secret may begin in them. */
  ready(): readonly string[];
  /** Returns all buffered lines. */
  end(): readonly string[];
}

const unwritten: ReadonlySet<SessionEvent["type"]> = new Set<SessionEvent["type"]>([
  "tool-call-delta",
  "tool-progress",
  "prompt-progress",
  "model-phase",
]);

/** If the buffered deltas have more characters than this, they are written as one record. */
const maxJoinedChars = 64 * 1024;

/** Creates a joiner. `after` is the last `seq` that the file already has. */
export function createEventJoiner(masking: Masking, after: number): EventJoiner {
  const { secrets } = masking;
  const longestSecret = secrets.reduce((most, { length }) => Math.max(most, length), 0);
  /** The buffered deltas, all of one kind. They belong to one turn, because other events come between two turns. */
  let open: TextDelta[] = [];
  let chars = 0;
  let last = after;
  /** The end of the text written so far, for each kind of delta. A secret may begin there. */
  const ends = { "text-delta": "", "reasoning-delta": "" };

  const endOf = (text: string): string => text.slice(Math.max(0, text.length - longestSecret));

  /**
   * Returns the line of an event. The field `first` of the line is the `seq` after that of the previous line, so that a
   * reader notices missing events.
   */
  const lineOf = (event: SessionEvent, mask = masking.mask): string => {
    const first = last + 1;
    last = event.seq;
    return eventLine(maskEvent(event, mask), first, Date.now());
  };
  /** Returns the first `count` buffered deltas as one line. */
  const join = (count: number): readonly string[] => {
    const joined = open.slice(0, count);
    const event = joined.at(-1);
    if (event === undefined) return [];
    open = open.slice(count);
    const text = joined.map((delta) => delta.text).join("");
    chars -= text.length;
    const before = ends[event.type];
    ends[event.type] = endOf(`${before}${text}`);
    return [lineOf({ ...event, text }, (whole) => maskAfter(before, whole, masking))];
  };
  /** Joins as many buffered deltas as possible into one line that does not end within a secret. May return no line. */
  const ready = (): readonly string[] => {
    const type = open[0]?.type;
    if (type === undefined) return [];
    let before = `${ends[type]}${open.map(({ text }) => text).join("")}`;
    for (let count = open.length; count > 0; count -= 1) {
      if (openEnd(endOf(before), secrets) === 0) return join(count);
      before = before.slice(0, before.length - (open[count - 1]?.text.length ?? 0));
    }
    return [];
  };
  const end = (): readonly string[] => join(open.length);
  return {
    push(event) {
      if (unwritten.has(event.type)) return [];
      if (event.type !== "text-delta" && event.type !== "reasoning-delta") return [...end(), lineOf(event)];
      const [first] = open;
      const sameKind = first === undefined || first.type === event.type;
      const before = sameKind ? [] : end();
      open.push(event);
      chars += event.text.length;
      return chars > maxJoinedChars ? [...before, ...ready()] : before;
    },
    ready,
    end,
  };
}
