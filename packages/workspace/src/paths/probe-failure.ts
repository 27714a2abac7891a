/** Creates the messages for the model about paths that the workspace does not open. */
import { type Failure, refused, systemFailure } from "../outcome.ts";
import type { Probe } from "./door.ts";

/** Returns the failure for a path that was not opened. `shown` is the path as the model wrote it. */
export function probeFailure(probe: Exclude<Probe, { kind: "inside" }>, shown: string): Failure {
  if (probe.kind === "error") return systemFailure(probe.error, shown);
  if (probe.kind === "closed") return closedFailure(shown);
  return refused(
    "validation_failed",
    `"${shown}" leads out of the workspace through a link. Only files inside the workspace can be used.`,
  );
}

export function deadLinkFailure(shown: string): Failure {
  return refused(
    "validation_failed",
    `"${shown}" is a link that leads nowhere or out of the workspace. Remove it first.`,
  );
}

export function closedFailure(shown: string): Failure {
  return refused(
    "permission_denied",
    `"${shown}" belongs to this program itself (settings, permissions, sessions): tools neither read nor change it. Ask the person to do it.`,
  );
}
