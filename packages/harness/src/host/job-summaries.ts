/** Lists the commands in the background for the person, and ends them. */
import { usageError } from "@localharness/engine";
import type { JobSummary } from "@localharness/protocol";
import type { Workbench } from "../workbench.ts";

type JobParts = Pick<Workbench, "jobs" | "mask">;

/** Returns the jobs, oldest first, with known secrets masked. */
export function listJobs({ jobs, mask }: JobParts): readonly JobSummary[] {
  return jobs.list().map(({ id, command, ended, ageMs, lastLine }) => ({
    id,
    command: mask(command),
    state: ended ?? "running",
    running: ended === undefined,
    ageMs,
    lastLine: mask(lastLine),
  }));
}

/** Ends a job with all that it has started. Rejects when no job of this id runs. */
export async function endJob({ jobs }: JobParts, id: string): Promise<void> {
  if (!(await jobs.end(id))) throw usageError(`no job ${id} is running; /jobs lists them`);
}
