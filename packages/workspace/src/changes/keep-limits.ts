/** Says which contents undo keeps: how much of one turn, and none with secrets. */
import { countText } from "@localharness/protocol";
import { secretName } from "../paths/secret-name.ts";
import type { ChangeLimits } from "./changes.ts";

/** The part of the limit to which a removal reduces the total size, so that not every change has to remove something. */
export const filledTo = 0.9;

/**
 * Returns the maximum size of the contents that are kept for one turn: at most the size that `keepWithin` leaves, so that a turn
 * does not remove its own earlier contents.
 */
export function maxTurnBytes({ turnBytes, totalBytes }: ChangeLimits): number {
  return Math.min(turnBytes, Math.floor(totalBytes * filledTo));
}

/**
 * Returns the reason why undo never copies these contents; undefined for a file that may be copied. `secrets` are known keys, `root` is
 * the workspace.
 */
export function whySecret(
  path: string,
  bytes: Buffer,
  secrets: readonly string[],
  root: string,
): string | undefined {
  if (secretName(path, root) !== undefined) return "files of that name usually hold secrets";
  return secrets.some((secret) => bytes.includes(secret)) ? "one of your keys is in it" : undefined;
}

export function megabytes(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MB` : countText(bytes, "byte");
}
