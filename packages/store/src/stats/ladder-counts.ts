/**
 * How a model's tool calls came to run, counted by the rungs of the recovery ladder: natively as they are, natively after a
 * repair, read from its text, with arguments that had to be typed, after it was told how to write them, or not at all.
 */
import type { SessionEvent } from "@localharness/protocol";

/** Every count is of calls, but `turns` and `deadEnds`, which are of turns. */
export interface LadderCounts {
  readonly turns: number;
  readonly native: number;
  /** Native calls whose arguments were no JSON and could be mended. */
  readonly repaired: number;
  /** Calls that the model wrote as text. */
  readonly fromText: number;
  /** Of those from text: what had to be mended to be read, beyond its types. */
  readonly fromTextRepaired: number;
  /** Calls whose arguments had to be typed, renamed or left out to fit the tool. */
  readonly coerced: number;
  /** Calls that could not run as they were written; the model was told how to write them. */
  readonly corrected: number;
  /** Turns that ended on such a call. */
  readonly deadEnds: number;
}

/** A session's counts and what is open in it: the value between two events. */
export interface Ladder {
  readonly counts: LadderCounts;
  /** Calls of the running model call that have begun and not ended, by index. */
  readonly open: readonly number[];
  /** Calls that a tool has been started for. */
  readonly started: readonly string[];
  /** Calls that are counted as coerced already. */
  readonly coerced: readonly string[];
}

export const noCounts: LadderCounts = {
  turns: 0,
  native: 0,
  repaired: 0,
  fromText: 0,
  fromTextRepaired: 0,
  coerced: 0,
  corrected: 0,
  deadEnds: 0,
};

export const emptyLadder: Ladder = { counts: noCounts, open: [], started: [], coerced: [] };

/** The ladder after one more event of its session; the same object when the event changes nothing. */
export function countEvent(ladder: Ladder, event: SessionEvent): Ladder {
  switch (event.type) {
    case "tool-call-start":
      return { ...ladder, open: [...ladder.open, event.index] };
    case "tool-call-end":
      return closed(countCall(ladder, event), event.index);
    case "tool-call-error":
      return closed(count(ladder, "corrected"), event.index);
    case "tool-call-withdrawn":
      return closed(ladder, event.index);
    case "model-end":
      // Calls that broke off: the model is told to write them again.
      return { ...count(ladder, ...ladder.open.map(() => "corrected" as const)), open: [] };
    case "model-error":
      return { ...ladder, open: [] };
    case "tool-start": {
      const started = { ...ladder, started: [...ladder.started, event.callId] };
      return event.notes === undefined ? started : coerced(started, event.callId);
    }
    case "tool-result": {
      // Refused before any tool ran: the name or the arguments were wrong, and the result says what is right.
      const { error_type: type } = event.result;
      const refused = type === "validation_failed" || type === "not_found";
      return refused && !ladder.started.includes(event.callId) ? count(ladder, "corrected") : ladder;
    }
    case "turn-end": {
      const ended = { ...emptyLadder, counts: count(ladder, "turns").counts };
      return event.code === "unreadable-call" ? count(ended, "deadEnds") : ended;
    }
    default:
      return ladder;
  }
}

/** The names of the counts. */
export const countNames = Object.keys(noCounts) as readonly (keyof LadderCounts)[];

/** The sums of two counts. */
export function addCounts(one: LadderCounts, other: LadderCounts): LadderCounts {
  const sums = { ...one };
  for (const name of countNames) sums[name] += other[name];
  return sums;
}

/** Whether any call was made or meant. */
export function hasCalls({ turns: _turns, ...calls }: LadderCounts): boolean {
  return Object.values(calls).some((number) => number > 0);
}

/** What the detector calls repairs although the call was read as it stood: its values were made to fit. */
const fittings: readonly string[] = ["typed-value", "argument-key", "dropped-key"];

function countCall(ladder: Ladder, event: Extract<SessionEvent, { type: "tool-call-end" }>): Ladder {
  const { format, repairs = [] } = event;
  if (format === undefined) return count(ladder, repairs.length === 0 ? "native" : "repaired");
  const mended = repairs.some((repair) => !fittings.includes(repair));
  const read = mended ? count(ladder, "fromText", "fromTextRepaired") : count(ladder, "fromText");
  return repairs.some((repair) => fittings.includes(repair)) ? coerced(read, event.id) : read;
}

function coerced(ladder: Ladder, id: string): Ladder {
  if (ladder.coerced.includes(id)) return ladder;
  return { ...count(ladder, "coerced"), coerced: [...ladder.coerced, id] };
}

function count(ladder: Ladder, ...keys: readonly (keyof LadderCounts)[]): Ladder {
  const counts = { ...ladder.counts };
  for (const key of keys) counts[key] += 1;
  return { ...ladder, counts };
}

function closed(ladder: Ladder, index: number): Ladder {
  return { ...ladder, open: ladder.open.filter((one) => one !== index) };
}
