/** The limits of undo, and of what is kept before commands, if no setting changes them. */
import type { SnapshotLimits } from "../snapshots/snapshots.ts";
import type { ChangeLimits } from "./record-changes.ts";

export const defaultChangeLimits: ChangeLimits = {
  fileBytes: 16 * 1024 * 1024,
  turnBytes: 64 * 1024 * 1024,
  turnEntries: 5_000,
  totalBytes: 256 * 1024 * 1024,
};

export const defaultSnapshotLimits: SnapshotLimits = {
  fileBytes: 16 * 1024 * 1024,
  totalBytes: 512 * 1024 * 1024,
  entries: 50_000,
};
