/** Counts what the sessions of one run amount to, and adds it to the file when the run ends. */
import type { Model, Session } from "@localharness/engine";
import type { WriteJournal } from "@localharness/tools";
import { addCounts, countEvent, emptyLadder, hasCalls, type Ladder, noCounts } from "./ladder-counts.ts";

export interface RunTally {
  follow(session: Session): void;
  /** Never rejects: counts are a courtesy, and no run fails for them. */
  save(): Promise<void>;
}

/** `folder` undefined: there is nowhere to keep counts. */
export function createRunTally(
  model: Pick<Model, "name" | "provider">,
  folder: string | undefined,
  journal: WriteJournal,
): RunTally {
  const ladders: { ladder: Ladder }[] = [];
  return {
    follow(session) {
      const one = { ladder: emptyLadder };
      ladders.push(one);
      session.subscribe((event) => {
        one.ladder = countEvent(one.ladder, event);
      });
    },
    async save() {
      const counts = ladders.map((one) => one.ladder.counts).reduce(addCounts, noCounts);
      if (folder === undefined || !hasCalls(counts)) return;
      try {
        const { addStats } = await import("./stats-file.ts");
        await addStats(folder, { provider: model.provider, model: model.name, counts }, journal);
      } catch {
        // `localharness models --stats` says what is wrong with the file.
      }
    },
  };
}
