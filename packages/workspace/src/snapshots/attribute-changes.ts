/** Records what looks at the workspace find as the changes of the commands that ran meanwhile. */
import type { ToolContext } from "@localharness/engine";
import { countText } from "@localharness/protocol";
import type { ChangedPath } from "../changes/changes.ts";
import type { ContentPacks } from "./content-packs.ts";
import type { Look, PathChange } from "./look.ts";
import type { Looker } from "./looker.ts";
import type { CommandChanges, SnapshotOptions } from "./snapshots.ts";
import { isTypedTurn } from "./typed-turn.ts";

type Turn = NonNullable<ToolContext["turn"]>;

export interface Attribution {
  /** Looks at the workspace. What has changed belongs to the command that runs now, or else to no command. */
  settle(): Promise<void>;
  /** Begins the record of a command. Call it after `settle`, before the command runs. */
  begin(turn: Turn): CommandChanges;
}

/** A command that runs in the foreground. */
interface Running {
  readonly name: string;
  take(found: Look): Promise<void>;
}

const maxNamed = 5;

export function attributeChanges(
  { changes, jobs, limits, noted }: SnapshotOptions,
  looker: Looker,
): Attribution {
  // At most one command of the model runs, and one that the person has typed.
  const running = new Map<"model" | "person", Running>();
  /** For each job that runs, the paths that have changed while no command ran. */
  const seenInJobs = new Map<string, Set<string>>();
  const look = async () => {
    const before = [...noted];
    const found = await looker.look();
    const isRecorded = (path: string) => [...noted].some((one) => one === path || path.startsWith(`${one}/`));
    const left = noted.size === 0 ? found.changes : found.changes.filter(({ path }) => !isRecorded(path));
    for (const path of before) noted.delete(path);
    return { ...found, changes: left };
  };
  const settle = async () => {
    const found = await look();
    const last = [...running.values()].at(-1);
    if (last !== undefined) return await last.take(found);
    for (const seen of seenInJobs.values()) for (const { path } of found.changes) seen.add(path);
  };
  const begin = (turn: Turn): CommandChanges => {
    const recorder = changes.of(turn);
    const kind = isTypedTurn(turn.turnId) ? "person" : "model";
    const ranWith = new Set(jobs());
    const take = async ({ changes: found, complete }: Look) => {
      const others = [...running.values()].filter((one) => one !== self).map(({ name }) => name);
      for (const name of [...jobs(), ...others]) ranWith.add(name);
      const missed = [
        ...(complete ? [] : [`changes of a command beyond the first ${limits.entries} files and folders`]),
        ...(ranWith.size === 0 || found.length === 0
          ? []
          : [`${[...ranWith].join(", ")} ran at the same time: its changes may be among those of a command`]),
      ];
      await recorder.changed(
        found.map((one) => changedPath(looker.packs, one)),
        missed,
      );
    };
    const self: Running = { name: turn.words ?? "another command", take };
    for (const { name } of running.values()) ranWith.add(name);
    running.delete(kind);
    running.set(kind, self);
    const end = () => {
      if (running.get(kind) === self) running.delete(kind);
    };
    return {
      end,
      record: async () => {
        try {
          await take(await look());
        } finally {
          end();
        }
        return recorder.notes();
      },
      leaveOut: async (why) => {
        end();
        await recorder.changed([], [why]);
      },
      leaveToJob: async (job, ended) => {
        end();
        const seen = new Set<string>();
        seenInJobs.set(job, seen);
        const tell = async () => {
          await settle().finally(() => seenInJobs.delete(job));
          if (seen.size > 0) await recorder.changed([], [changedMeanwhile(job, seen)]);
        };
        ended.then(tell).catch(() => undefined);
        await recorder.changed([], [`what ${job} changes in the background`]);
      },
    };
  };
  return { settle, begin };
}

function changedMeanwhile(job: string, seen: ReadonlySet<string>): string {
  const paths = [...seen].toSorted();
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : "";
  return `while ${job} ran, it or you changed ${countText(paths.length, "path")}: ${paths.slice(0, maxNamed).join(", ")}${more}`;
}

function changedPath(packs: ContentPacks, { path, before, after, place }: PathChange): ChangedPath {
  return { path, before, after, content: () => (place === undefined ? undefined : packs.read(place)) };
}
