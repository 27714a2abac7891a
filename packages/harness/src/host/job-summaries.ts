/** Lists the background commands for the person, and ends them. */
import { usageError } from "@localharness/engine";
import type { JobSummary } from "@localharness/protocol";
import type { Workbench } from "../compose/workbench.ts";

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

/** Ends a job and every process that it has started. Rejects if no job of this id is running. */
export async function endJob({ jobs }: JobParts, id: string): Promise<void> {
  if (!(await jobs.end(id))) throw usageError(`no job ${id} is running; /jobs lists them`);
}
