/** Looks at the workspace before and after each command, and records the changes in between. */
import { setTimeout as wait } from "node:timers/promises";
import { attributeChanges } from "./attribute-changes.ts";
import { isCovered } from "./covers.ts";
import { createLooker } from "./looker.ts";
import type { CoveredPath, SnapshotOptions, Snapshots } from "./snapshots.ts";

/** The milliseconds for which a look answers the questions about the same call. */
const lookHoldsMs = 1_000;
/** The milliseconds for which a question about a command waits. */
const maxCoverMs = 2_000;

export function openSnapshots(options: SnapshotOptions): Snapshots {
  const { changes } = options;
  const looker = createLooker(options);
  const attribution = attributeChanges(options, looker);
  const isKept = (places: readonly CoveredPath[]) => {
    const room = changes.room();
    return room !== undefined && isCovered({ ...looker, room }, places);
  };
  /** True if a command was stopped because of what could not be kept, until a command runs that needs nothing kept. */
  let failed = false;
  const stop = (why: string) => {
    failed = true;
    return new Error(why);
  };
  return {
    keeping: true,
    covers: async (places) => {
      if (failed) return false;
      if (looker.ageMs() < lookHoldsMs && isKept(places)) return true;
      return (await within(attribution.settle(), maxCoverMs)) && isKept(places);
    },
    before: async ({ turn }, needed) => {
      if (needed.length === 0) failed &&= turn === undefined;
      else if (turn === undefined) throw stop("the call belongs to no turn, so that nothing could be undone");
      if (turn === undefined) return undefined;
      await attribution.settle();
      if (needed.length > 0 && !isKept(needed)) {
        throw stop("the files have changed since the command was examined, or cannot be stored");
      }
      return attribution.begin(turn);
    },
    close: () => looker.close(),
  };
}

/** Resolves to true if the work ends in time, and to false if it fails or takes longer. */
async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const done = work.then(
    () => true,
    () => false,
  );
  const late = wait(ms, false, { signal: timer.signal, ref: false }).catch(() => false);
  const ended = await Promise.race([done, late]);
  timer.abort();
  return ended;
}
