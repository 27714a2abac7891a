/** Tells the person here when a command that runs in the background on another machine has ended. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Link } from "@localharness/mcp/elsewhere";

/** The time between two looks at a job, in milliseconds. */
const lookMs = 2_000;

export interface JobFollower {
  /** Follows the job that a result of `bash` names, if it started one. */
  follow(args: { readonly background?: unknown }, result: string): void;
  close(): void;
}

/** Returns a follower that asks the machine `name` for each job until the job has ended, and then calls `tell`. */
export function createJobFollower(
  { look }: Pick<Link, "look">,
  name: string,
  tell: (text: string) => void,
): JobFollower {
  const closing = new AbortController();
  const { signal } = closing;
  async function wait(job: string): Promise<void> {
    while (!signal.aborted) {
      await sleep(lookMs, undefined, { signal, ref: false });
      const { ended } = await look("localharness/job", { job });
      // An empty text says that the machine knows no such job, for example because it was started again.
      if (typeof ended === "string") {
        if (ended !== "") tell(`${job}, a command in the background on ${name}, has ended: ${ended}`);
        return;
      }
    }
  }
  return {
    follow({ background }, result) {
      const [job] = background === true ? (/\bjob-\d+\b/.exec(result) ?? []) : [];
      // If the connection is lost, the link itself tells the person.
      if (job !== undefined) wait(job).catch(() => undefined);
    },
    close: () => closing.abort(),
  };
}
