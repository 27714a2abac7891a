/** Does the steps of a plan, one path after the other, each whole or not at all. */

import { configError } from "@localharness/engine";
import {
  keepContent,
  keptContent,
  putState,
  type Workspace,
  type WriteJournal,
  whySecret,
} from "@localharness/tools";
import type { Step } from "./change-history.ts";
import type { Left } from "./plan-undo.ts";

export interface PutBackParts {
  readonly workspace: Workspace;
  readonly journal: WriteJournal;
  /** Where contents are kept. */
  readonly folder: string;
  /** False when another process may be at the same work. */
  stillHeld(): Promise<boolean>;
}

export interface PutBack {
  readonly done: readonly Step[];
  readonly left: readonly Left[];
}

/** What cannot be put back is left as it is. Rejects with a `HarnessError` when another process has taken over. */
export async function putBack(parts: PutBackParts, steps: readonly Step[]): Promise<PutBack> {
  const done: Step[] = [];
  const left: Left[] = [];
  for (const step of steps) {
    if (!(await parts.stillHeld())) throw takenOver(parts.folder);
    const problem = await putOne(parts, step);
    if (problem === undefined) done.push(step);
    else left.push({ path: step.path, why: problem });
  }
  return { done, left };
}

function takenOver(folder: string): Error {
  const message = `another process undoes in ${folder} by now, as this one stood still for long: look at what is changed, then run it again`;
  return configError(message);
}

async function putOne({ workspace, journal, folder }: PutBackParts, step: Step): Promise<string | undefined> {
  const { to } = step;
  if (to.kind !== "file") {
    const put = await putState(workspace, journal, step);
    return put.ok ? undefined : put.message;
  }
  const content = await keptContent(folder, to.hash);
  if (content === undefined) return "its old content is not kept any more (the oldest go first)";
  const put = await putState(workspace, journal, { ...step, content });
  return put.ok ? undefined : put.message;
}

/** Keeps what a step replaces, for redo; gives the step that says so. Rejects with the system's error. */
export async function keepForRedo(
  folder: string,
  step: Step,
  bytes: Buffer | undefined,
  secrets: readonly string[],
): Promise<Step> {
  const { from } = step;
  if (from.kind !== "file") return step;
  if (bytes === undefined) return { ...step, from: { ...from, notKept: "unreadable" } };
  if (whySecret(step.path, bytes, secrets) !== undefined)
    return { ...step, from: { ...from, notKept: "secret" } };
  await keepContent(folder, from.hash, bytes);
  return step;
}
