/** Draws the status line at the bottom: vim's mode, model, mode, iteration, context window, branch, sandbox, speed. */
import { visibleWidth } from "@earendil-works/pi-tui";
import {
  countText,
  type Host,
  type PermissionMode,
  type SessionEvent,
  tokensText,
  type View,
} from "@localharness/protocol";
import { screenLine } from "../plain-text.ts";
import type { Theme } from "../theme/theme.ts";

export interface StatusFacts {
  readonly view: View;
  readonly mode: PermissionMode;
  /** The tokens of the newest request and its answer, as `Pace.windowUsed` returns them. */
  readonly windowUsed: number | undefined;
  readonly tokensPerSecond: number | undefined;
  /** The name of the model that gives the next answer. */
  readonly model: string;
  readonly sandbox: string;
  readonly branch: string | undefined;
  /** The number of commands that run in the background. */
  readonly jobs: number;
  readonly iterationLimit: number;
  /** Vim's mode; undefined if the editor does not use vim's keys. */
  readonly editing?: "insert" | "normal" | undefined;
}

/** The facts about the workspace and the session that the program reads again after each turn. */
export type PlaceFacts = Pick<StatusFacts, "branch" | "sandbox" | "jobs">;

/** Returns true for an event after which the place may differ: the end of a turn, and the start and the end of a job. */
export function changesPlace(event: SessionEvent): boolean {
  if (event.type === "tool-result") return /^job-\d+ runs in the background/.test(event.result.data ?? "");
  return event.type === "turn-end" || (event.type === "notice" && event.code === "job-ended");
}

/** Reads the place. An unreadable branch is undefined; an unreadable sandbox stays as in `before`. Never rejects. */
export async function readPlace(host: Host, before: PlaceFacts): Promise<PlaceFacts> {
  const [branch, sandbox, jobs] = await Promise.all([
    host.readBranch().catch(() => undefined),
    host.readSandbox().catch(() => before.sandbox),
    host.listJobs().then(
      (all) => all.filter(({ running }) => running).length,
      () => before.jobs,
    ),
  ]);
  return { branch, sandbox, jobs };
}

/** Returns the status line. When it is too wide, the last parts are left out. */
export function statusLine(facts: StatusFacts, width: number, theme: Theme): string {
  const { view, mode, windowUsed, tokensPerSecond } = facts;
  const parts = [
    facts.editing === undefined ? "" : facts.editing.toUpperCase(),
    facts.model,
    mode === "default" ? "" : mode,
    view.turn.running ? `${Math.max(1, view.turn.iteration)}/${facts.iterationLimit}` : "",
    windowText(windowUsed, view.usage.contextWindow),
    facts.jobs === 0 ? "" : countText(facts.jobs, "job"),
    facts.branch ?? "",
    facts.sandbox,
    tokensPerSecond === undefined ? "" : `${tokensPerSecond.toFixed(0)} tok/s`,
    mode === "default" ? "default" : "",
  ].filter((part) => part !== "");
  let line = "";
  for (const part of parts) {
    const next = line === "" ? screenLine(part) : `${line} · ${screenLine(part)}`;
    if (visibleWidth(next) > width) break;
    line = next;
  }
  return theme.style("status", line);
}

function windowText(used: number | undefined, window: number | undefined): string {
  if (used === undefined) return "";
  if (window === undefined) return `${tokensText(used)} tokens`;
  return `${tokensText(used)}/${tokensText(window)} ${Math.round((100 * used) / window)}%`;
}
