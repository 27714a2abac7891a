/** Says how far the start of a server is. */
import type { ServerEntry } from "../config/entry.ts";
import { mayInstall } from "../config/installs.ts";
import { shortText } from "../connection/short-text.ts";
import type { Trouble } from "../transport/process-transport.ts";

/** How many times longer a server may take to start if it may have to be downloaded first. */
const installFactor = 5;

/** Returns the milliseconds that the server has to start. */
export function startLimit(entry: ServerEntry, startMs: number): number {
  return mayInstall(entry) ? startMs * installFactor : startMs;
}

/** Returns the end of a sentence about a server that is starting. The last line of its error output is a part of it. */
export function startingText(entry: ServerEntry, trouble: Trouble | undefined): string {
  const state = mayInstall(entry) ? "is still being installed or started" : "is still starting";
  const last = trouble?.errors.split("\n").findLast((line) => line.trim() !== "");
  return last === undefined ? state : `${state} (its last line of error output: ${shortText(last.trim())})`;
}
