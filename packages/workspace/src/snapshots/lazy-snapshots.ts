/** Opens the snapshots of a workspace before the first command that may change something. */
import type { SnapshotOptions, Snapshots } from "./snapshots.ts";

const nothing: Snapshots = {
  keeping: false,
  covers: () => Promise.resolve(false),
  before: (_, needed) =>
    needed.length === 0
      ? Promise.resolve(undefined)
      : Promise.reject(new Error("snapshots are switched off")),
  close: () => {},
};

/** Returns snapshots that are opened at their first use. Keeps nothing if the quota is 0 or undo is switched off. */
export function createSnapshots(options: SnapshotOptions): Snapshots {
  if (options.limits.totalBytes === 0 || options.changes.room() === undefined) return nothing;
  let opening: Promise<Snapshots> | undefined;
  let opened: Snapshots | undefined;
  const open = async () => {
    opening ??= import("./open-snapshots.ts").then(({ openSnapshots }) => openSnapshots(options));
    opened = await opening;
    return opened;
  };
  return {
    keeping: true,
    covers: async (places) => (await open()).covers(places),
    before: async (context, needed) => (await open()).before(context, needed),
    close: () => opened?.close(),
  };
}
