/** Counts the tool calls of one run's sessions, and adds the counts to the statistics file when the run ends. */
import type { Model, Session } from "@localharness/engine";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";
import { addCounts, countEvent, emptyLadder, hasCalls, type Ladder, noCounts } from "./ladder-counts.ts";
import type { ModelStats } from "./stats-file.ts";

export interface RunTally {
  /**
   * Counts the events of a session. `model` is its first model; after a change of the model, calls count for the new
   * model.
   */
  follow(session: Session, model: CountedModel): void;
  /** Saves the counts. Never rejects, because a run must not fail because of its statistics. */
  save(): Promise<void>;
}

type CountedModel = Pick<Model, "name" | "provider">;

/** Creates the counter of one run. If `folder` is undefined, nothing is saved. */
export function createRunTally(folder: string | undefined, journal: WriteJournal): RunTally {
  const ladders: { readonly model: CountedModel; ladder: Ladder }[] = [];
  return {
    follow(session, model) {
      let one = { model, ladder: emptyLadder };
      ladders.push(one);
      session.subscribe((event) => {
        if (event.type === "model-changed") {
          one = { model: { name: event.model, provider: event.provider }, ladder: emptyLadder };
          ladders.push(one);
        }
        one.ladder = countEvent(one.ladder, event);
      });
    },
    async save() {
      if (folder === undefined) return;
      for (const rows of Map.groupBy(ladders, ({ model }) => `${model.provider}/${model.name}`).values()) {
        const counts = rows.map((one) => one.ladder.counts).reduce(addCounts, noCounts);
        const [first] = rows;
        if (first === undefined || !hasCalls(counts)) continue;
        await keep(folder, journal, { provider: first.model.provider, model: first.model.name, counts });
      }
    },
  };
}

async function keep(folder: string, journal: WriteJournal, stats: ModelStats): Promise<void> {
  try {
    const { addStats } = await import("./stats-file.ts");
    await addStats(folder, stats, journal);
  } catch {
    // `localharness models --stats` shows what is wrong with the file.
  }
}
