/** Executes the steps of an undo or redo plan, one path after the other. Each step is made completely or not at all. */
import { configError } from "@localharness/engine";
import { defined } from "@localharness/protocol";
import { keepContent, keptContent } from "@localharness/workspace/changes/change-folder";
import { whySecret } from "@localharness/workspace/changes/keep-limits";
import { putState } from "@localharness/workspace/changes/put-state";
import type { ReadLedger } from "@localharness/workspace/files/read-ledger";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import type { Step } from "./change-history.ts";
import type { Left } from "./plan-undo.ts";

export interface PutBackParts {
  readonly workspace: Workspace;
  readonly journal: WriteJournal;
  /** The folder with the kept contents. */
  readonly folder: string;
  /** The record of the files that the model of the running session has read; absent outside of a session. */
  readonly ledger?: Pick<ReadLedger, "putBack">;
  /** Resolves to false if another process may be undoing in the same folder. */
  stillHeld(): Promise<boolean>;
}

export interface PutBack {
  readonly done: readonly Step[];
  readonly left: readonly Left[];
}

/**
 * Executes the steps. `done` has the steps that were made, `left` the paths of the steps that failed. Rejects with a
 * `HarnessError` if another process has taken over, or if the lock cannot be read; then the steps before stay made.
 */
export async function putBack(parts: PutBackParts, steps: readonly Step[]): Promise<PutBack> {
  const done: Step[] = [];
  const left: Left[] = [];
  for (const step of steps) {
    if (!(await parts.stillHeld())) throw takenOver(parts.folder);
    const problem = await putOne(parts, step);
    if (problem === undefined) done.push(step);
    else left.push(problem);
  }
  return { done, left };
}

function takenOver(folder: string): Error {
  const message = `another process undoes in ${folder} now, because this one was suspended for too long: check the files, then run it again`;
  return configError(message);
}

/** Returns the path with the reason why the step failed; undefined if it succeeded. */
async function putOne(
  { workspace, journal, folder, ledger }: PutBackParts,
  step: Step,
): Promise<Left | undefined> {
  const { to } = step;
  const content = to.kind === "file" ? await keptContent(folder, to.hash) : undefined;
  if (to.kind === "file" && content === undefined) {
    const why = "its old content is no longer kept (the oldest contents are removed first)";
    return { path: step.path, why };
  }
  const put = await putState(workspace, journal, { ...step, ...defined({ content }) });
  // A folder with other files in it stays, and does not keep the turn open: otherwise each undo would come to this turn first.
  const isFolderGoing = step.from.kind === "folder" && to.kind === "absent";
  if (!put.ok) return { path: step.path, why: put.message, ...(isFolderGoing ? {} : { retry: true }) };
  await ledger?.putBack(step.path, content);
  return undefined;
}

/**
 * Keeps the content (`bytes`) of the file that a step replaces, so that the change can be redone. Returns the step; its
 * `from` has `notKept` if the content is secret or could not be read. Rejects with the file system's error.
 */
export async function keepForRedo(
  {
    folder,
    workspace,
    secrets,
  }: Pick<PutBackParts, "folder" | "workspace"> & { readonly secrets: readonly string[] },
  step: Step,
  bytes: Buffer | undefined,
): Promise<Step> {
  const { from } = step;
  if (from.kind !== "file") return step;
  if (bytes === undefined) return { ...step, from: { ...from, notKept: "unreadable" } };
  if (whySecret(step.path, bytes, secrets, workspace.root) !== undefined) {
    return { ...step, from: { ...from, notKept: "secret" } };
  }
  await keepContent(folder, from.hash, bytes);
  return step;
}
