/**
 * Events as they are written: deltas of one kind become one record, and what is only shown while it happens (arguments
 * that are coming, progress of a tool or of a prompt) is left out. What is written folds to the same view.
 */
import type { SessionEvent } from "@localharness/protocol";
import { maskEvent } from "./mask-event.ts";
import { eventLine } from "./session-record.ts";
import { type Masking, maskAfter, openEnd } from "./split-secret.ts";

type TextDelta = Extract<SessionEvent, { type: "text-delta" | "reasoning-delta" }>;

export interface EventJoiner {
  /** The lines that this event completes; often none. */
  push(event: SessionEvent): readonly string[];
  /** What is held back, but for deltas in which a secret may have begun: those wait for what comes next. */
  ready(): readonly string[];
  /** All that is held back. */
  end(): readonly string[];
}

const unwritten: ReadonlySet<SessionEvent["type"]> = new Set<SessionEvent["type"]>([
  "tool-call-delta",
  "tool-progress",
  "prompt-progress",
]);

/** A joined record is not made longer than this many characters. */
const longest = 64 * 1024;

/** `after` is the last `seq` that is written already. */
export function createEventJoiner(masking: Masking, after: number): EventJoiner {
  const { secrets } = masking;
  const longestSecret = secrets.reduce((most, { length }) => Math.max(most, length), 0);
  /** Of one kind, and so of one turn: other events stand between two turns. */
  let open: TextDelta[] = [];
  let chars = 0;
  let last = after;
  /** How the text ends that was written of each kind: a secret may have begun there. */
  const ends = { "text-delta": "", "reasoning-delta": "" };

  const endOf = (text: string): string => text.slice(Math.max(0, text.length - longestSecret));

  /** Stands for all events since the line before it: a reader sees by that whether one is missing. */
  const lineOf = (event: SessionEvent, mask = masking.mask): string => {
    const first = last + 1;
    last = event.seq;
    return eventLine(maskEvent(event, mask), first, Date.now());
  };
  /** The first `count` of the open deltas as one record. */
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
  /** Cut between two deltas where no secret can have begun. */
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
      const goesOn = first === undefined || first.type === event.type;
      const before = goesOn ? [] : end();
      open.push(event);
      chars += event.text.length;
      return chars > longest ? [...before, ...ready()] : before;
    },
    ready,
    end,
  };
}
