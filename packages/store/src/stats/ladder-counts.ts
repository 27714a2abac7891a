/**
 * Counts how a model's tool calls came to run, by the steps of the recovery ladder: native, native after a repair, read
 * from text, with converted arguments, after a correction by the model, or not at all.
 */
import type { SessionEvent } from "@localharness/protocol";

/** The counts. All are numbers of calls, except `turns` and `deadEnds`, which are numbers of turns. */
export interface LadderCounts {
  readonly turns: number;
  readonly native: number;
  /** Native calls whose arguments were invalid JSON that could be repaired. */
  readonly repaired: number;
  /** Calls that the model wrote as text. */
  readonly fromText: number;
  /** Calls from text that needed another repair than fitting their arguments to the tool's schema. */
  readonly fromTextRepaired: number;
  /** Calls whose arguments were converted, renamed or dropped to fit the tool's schema. */
  readonly coerced: number;
  /** Calls that could not run as written. The model was told how to correct them. */
  readonly corrected: number;
  /** Turns that ended because the calls of the last answer could not be read. */
  readonly deadEnds: number;
}

/** The counts of a session so far, and the calls that have not ended. */
export interface Ladder {
  readonly counts: LadderCounts;
  /** The indexes of the calls that the current answer has started and not ended. */
  readonly open: readonly number[];
  /** The ids of the calls whose tool has started in this turn. */
  readonly started: readonly string[];
  /** The ids of the calls that are already counted as coerced. */
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

/** Returns the ladder after one more event of its session. */
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
      // The calls that are still open are incomplete, and the model is told to write them again.
      return { ...count(ladder, ...ladder.open.map(() => "corrected" as const)), open: [] };
    case "model-error":
      return { ...ladder, open: [] };
    case "tool-start": {
      const started = { ...ladder, started: [...ladder.started, event.callId] };
      return event.notes === undefined ? started : coerced(started, event.callId);
    }
    case "tool-result": {
      // The call was refused before the tool started, because its name or its arguments were wrong. Its result says how
      // to correct them.
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

/** The keys of `LadderCounts`. */
export const countNames = Object.keys(noCounts) as readonly (keyof LadderCounts)[];

/** Returns the sum of two counts, key by key. */
export function addCounts(one: LadderCounts, other: LadderCounts): LadderCounts {
  const sums = { ...one };
  for (const name of countNames) sums[name] += other[name];
  return sums;
}

/** Returns true if any call was made or attempted. */
export function hasCalls({ turns: _turns, ...calls }: LadderCounts): boolean {
  return Object.values(calls).some((number) => number > 0);
}

/** The repairs of the detector that only fit the arguments to the schema. The call's text was valid. */
const fittings: readonly string[] = ["typed-value", "argument-key", "dropped-key", "default-value"];

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
