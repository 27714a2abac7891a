/** Closes the sessions that nobody uses. They are saved, and a client that wants one opens it again. */
import type { RoomState } from "@localharness/protocol";
import type { Desks } from "./desks.ts";

export interface IdleLimit {
  /** The time in milliseconds after which an idle session is closed. */
  readonly ms: number;
  readonly now?: () => number;
  /** Called with the error of a session that could not be closed. */
  reportBug(error: unknown): void;
}

export interface IdleWatch {
  /** Closes the sessions that have been idle for `ms` and have no running job. Never rejects. */
  check(): Promise<void>;
  stop(): void;
}

const maxCheckMs = 60_000;

export function closeIdle(
  desks: Desks,
  { ms, now = () => performance.now(), reportBug }: IdleLimit,
): IdleWatch {
  /** For each idle session: the time since which it is idle, and the `seq` of its newest event at that time. */
  const idle = new Map<string, { readonly since: number; readonly last: number }>();
  const check = async () => {
    const states = desks.states();
    for (const id of idle.keys()) if (!states.some((state) => state.id === id)) idle.delete(id);
    for (const state of states) {
      const { id, last } = state;
      const known = idle.get(id);
      if (!isQuiet(state)) idle.delete(id);
      else if (known?.last !== last) idle.set(id, { since: now(), last });
      else if (now() - known.since >= ms) await closeUnused(desks, id).catch(reportBug);
    }
  };
  const timer = setInterval(() => void check(), Math.min(maxCheckMs, ms / 4)).unref();
  return { check, stop: () => clearInterval(timer) };
}

function isQuiet({ watchers, running, questions }: RoomState): boolean {
  return watchers === 0 && !running && questions === 0;
}

async function hasJobs(desks: Desks, id: string): Promise<boolean> {
  const jobs = await desks.find(id)?.room.host.listJobs();
  return jobs?.some(({ running }) => running) === true;
}

async function closeUnused(desks: Desks, id: string): Promise<void> {
  if (await hasJobs(desks, id)) return;
  // A client may have come meanwhile.
  const desk = desks.find(id);
  if (desk !== undefined && isQuiet(desk.state())) await desks.close(id);
}
