/** The limits of what is kept before commands, if no setting changes them. */
import type { SnapshotLimits } from "./snapshots.ts";

export const defaultSnapshotLimits: SnapshotLimits = {
  fileBytes: 16 * 1024 * 1024,
  totalBytes: 512 * 1024 * 1024,
  entries: 50_000,
};
