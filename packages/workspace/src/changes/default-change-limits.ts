/** The limits of undo, if no setting changes them. */
import type { ChangeLimits } from "./changes.ts";

export const defaultChangeLimits: ChangeLimits = {
  fileBytes: 16 * 1024 * 1024,
  turnBytes: 64 * 1024 * 1024,
  turnEntries: 5_000,
  totalBytes: 256 * 1024 * 1024,
};
