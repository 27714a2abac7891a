/** Undoes the file changes of a session's tools, turn by turn, and redoes them. */
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { configError, usageError } from "@localharness/engine";
import {
  type ChangeReport,
  countText,
  reasonOf,
  type SessionChanges,
  type UndoPreview,
} from "@localharness/protocol";
import {
  appendLines,
  changeLog,
  sessionChanges,
  workspaceChanges,
} from "@localharness/workspace/changes/change-folder";
import type { ReadLedger } from "@localharness/workspace/files/read-ledger";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { type LockTimes, withFileLock } from "../kept-file/file-lock.ts";
import { type ChangeHistory, type HistoryLine, readHistory, type TurnChanges } from "./change-history.ts";
import { chooseTurns } from "./choose-turns.ts";
import { countLines } from "./count-lines.ts";
import { lookAtPaths } from "./look-at-paths.ts";
import { planRedo, planUndo, type UndoPlan } from "./plan-undo.ts";
import { previewUndo } from "./preview-undo.ts";
import { keepForRedo, type PutBack, putBack } from "./put-back.ts";
import { reportOf } from "./report-changes.ts";
import { listSessionChanges } from "./session-changes.ts";
import { turnInWords } from "./turn-words.ts";

export interface Undo {
  /**
   * Undoes the last turns that are not undone, by default one. Rejects with a `HarnessError` if the log cannot be read or
   * written, if the current contents cannot be kept for redo, or if another process undoes in this session; with the
   * system's error if the lock cannot be written.
   */
  undo(sessionId: string, turns?: number): Promise<ChangeReport>;
  /**
   * Returns what `undo` or `undoTurns` would do now, for each turn from the last to the first, and changes nothing. Rejects with a
   * `HarnessError` if the log cannot be read.
   */
  preview(sessionId: string, turns: number | readonly string[]): Promise<readonly UndoPreview[]>;
  /**
   * Undoes the changes of these turns, from the last to the first, and those of commands that the person typed after them. Stops before
   * a change of another turn, because it may depend on the changes before it. Rejects like `undo`.
   */
  undoTurns(sessionId: string, turns: readonly string[]): Promise<ChangeReport>;
  /** Redoes the turn that was undone last, unless a tool has changed a file since then. Rejects like `undo`. */
  redo(sessionId: string): Promise<ChangeReport>;
  /**
   * Returns the changes of the session's tools that are not undone. Rejects with a `HarnessError` if the log cannot be
   * read.
   */
  changes(sessionId: string): Promise<SessionChanges>;
  /** Returns notes for the model about undos and redos. Each note is returned only once. Never rejects. */
  news(sessionId: string): Promise<readonly string[]>;
  /**
   * Returns the id of the session of this workspace whose change log was written last; with `id`, of the session that has
   * this id, or the only one whose id begins with it. Returns undefined if there is none. Rejects with a `HarnessError` if
   * several ids begin with `id`.
   */
  findSession(id?: string): Promise<string | undefined>;
}

export interface UndoParts {
  readonly workspace: Workspace;
  readonly journal: WriteJournal;
  /** The record of the files that the model of the running session has read; absent outside of a session. */
  readonly ledger?: Pick<ReadLedger, "putBack">;
  readonly stateFolder: string;
  /** The secrets that the program knows. The content of a file that contains a known secret is not kept. */
  readonly secrets: readonly string[];
}

interface Job extends UndoParts {
  readonly sessionId: string;
  readonly folder: string;
  /** Resolves to false if this process was suspended so long that another process may be undoing here. */
  stillHeld(): Promise<boolean>;
}

export function openUndo(parts: UndoParts): Undo {
  const { root } = parts.workspace;
  const folderOf = (sessionId: string) => sessionChanges(parts.stateFolder, root, sessionId);
  const locked = async (
    sessionId: string,
    nothing: string,
    work: (job: Job) => Promise<ChangeReport>,
  ): Promise<ChangeReport> => {
    const folder = folderOf(sessionId);
    if (!existsSync(changeLog(folder))) return { lines: [nothing], changed: 0 };
    return withFileLock(lockIn(folder), (stillHeld) =>
      reachingChanged(parts, folder, (workspace) =>
        work({ ...parts, workspace, sessionId, folder, stillHeld }),
      ),
    );
  };
  return {
    undo: (sessionId, turns = 1) => locked(sessionId, nothingToUndo, (job) => undoTurns(job, turns)),
    preview: (sessionId, turns) => {
      const folder = folderOf(sessionId);
      return reachingChanged(parts, folder, (workspace) =>
        previewUndo({ ...parts, workspace, sessionId, folder }, turns),
      );
    },
    undoTurns: (sessionId, turns) => locked(sessionId, nothingToUndo, (job) => undoTurns(job, turns)),
    redo: (sessionId) => locked(sessionId, nothingToRedo, redoTurn),
    changes: (sessionId) => {
      const folder = folderOf(sessionId);
      return reachingChanged(parts, folder, (workspace) =>
        listSessionChanges({ ...parts, workspace, folder }),
      );
    },
    news: (sessionId) => takeNews(folderOf(sessionId)),
    findSession: (id) => findSession(workspaceChanges(parts.stateFolder, root), id),
  };
}

/** Calls `work` with a view of the workspace that reaches every folder in which the session changed something. */
async function reachingChanged<T>(
  { workspace }: UndoParts,
  folder: string,
  work: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const { turns } = await readHistory(folder);
  const roots = turns.flatMap(({ changes }) => changes.flatMap((change) => change.folder ?? []));
  const view = workspace.reaching([...new Set(roots)]);
  try {
    return await work(view);
  } finally {
    view.close();
  }
}

const nothingToUndo =
  "there is nothing to undo: nothing has changed files in this session, or every change is undone. Changes from before a branch are undone in the session that it came from: localharness undo --session ID";
const nothingToRedo = "there is nothing to redo";

async function undoTurns(job: Job, wanted: number | readonly string[]): Promise<ChangeReport> {
  const reports: ChangeReport[] = [];
  const tried = new Set<number>();
  while (reports.length !== wanted) {
    const report = await undoNext(job, wanted, tried);
    if (report === "none") break;
    if (report !== "nothing-happened") reports.push(report);
  }
  if (reports.length === 0) return { lines: [nothingToUndo], changed: 0 };
  const { turns: all } = await readHistory(job.folder);
  const left = all.filter(({ undone }) => !undone);
  const more = await moreTurns(job, left, "undone");
  const fewer =
    typeof wanted === "number" && reports.length < wanted
      ? [`no other turns were left: ${reports.length} of ${wanted}`]
      : [];
  return {
    lines: [...reports.flatMap(({ lines }) => lines), ...more, ...fewer],
    changed: reports.reduce((sum, { changed }) => sum + changed, 0),
  };
}

async function undoNext(
  job: Job,
  wanted: number | readonly string[],
  /** The groups that this undo has taken already; this one is added. */
  tried: Set<number>,
): Promise<ChangeReport | "none" | "nothing-happened"> {
  const history = await readHistory(job.folder);
  const all = typeof wanted === "number" ? Number.POSITIVE_INFINITY : wanted;
  const turn = chooseTurns(history.turns, all).find(({ group }) => !tried.has(group));
  if (turn === undefined) return "none";
  tried.add(turn.group);
  const { states, bytes } = await lookAtPaths(
    job.workspace,
    turn.changes.map(({ path }) => path),
  );
  const plan = planUndo(turn.changes, states);
  const steps = await Promise.all(
    plan.steps.map((step) => keepForRedo(job, step, bytes.get(step.path))),
  ).catch((error: unknown) => {
    throw notWritten(job, error);
  });
  const counts = await countLines(job.folder, steps, bytes);
  await write(job, { v: 1, type: "undo", group: turn.group, steps });
  const put = await finish(job, "undone", turn, { ...plan, steps });
  const { calls, missed } = turn;
  if (put.done.length + put.left.length + missed.length === 0) return "nothing-happened";
  return reportOf("undone", await turnInWords(job, turn.turn), { ...put, calls, missed, counts });
}

async function redoTurn(job: Job): Promise<ChangeReport> {
  const history: ChangeHistory = await readHistory(job.folder);
  const turn = history.turns[history.redoable.at(-1) ?? -1];
  if (turn === undefined) return { lines: [nothingToRedo], changed: 0 };
  const { states } = await lookAtPaths(
    job.workspace,
    turn.steps.map(({ path }) => path),
  );
  await write(job, { v: 1, type: "redo", group: turn.group });
  const put = await finish(job, "redone", turn, planRedo(turn.steps, states));
  if (put.done.length + put.left.length === 0) return redoTurn(job);
  const report = reportOf("redone", await turnInWords(job, turn.turn), { ...put, calls: turn.calls });
  const { redoable, turns } = await readHistory(job.folder);
  const left = redoable.flatMap((group) => turns[group] ?? []);
  return { ...report, lines: [...report.lines, ...(await moreTurns(job, left, "redone"))] };
}

/**
 * Returns a line that says how many other turns can be undone or redone, and names the last of `left`, which is the next one,
 * with its paths; no line if there are none.
 */
async function moreTurns(
  job: Job,
  left: readonly TurnChanges[],
  what: "undone" | "redone",
): Promise<readonly string[]> {
  const next = left.at(-1);
  if (next === undefined) return [];
  const paths = [...new Set(next.changes.map(({ path }) => path))];
  const more = paths.length > maxNextPaths ? ` and ${paths.length - maxNextPaths} more` : "";
  const named = paths.length === 0 ? "" : ` (${paths.slice(0, maxNextPaths).join(", ")}${more})`;
  const turn = await turnInWords(job, next.turn);
  return [`${countText(left.length, "more turn")} can be ${what}, next: ${turn}${named}`];
}

const maxNextPaths = 3;

function lockIn(folder: string): string {
  return join(folder, "lock");
}

/**
 * Executes the steps and logs the end of the undo or redo. In the result, `done` has the steps that were made, and
 * `left` the paths that the plan left alone and the paths whose step failed.
 */
async function finish(
  job: Job,
  type: "undone" | "redone",
  turn: TurnChanges,
  plan: UndoPlan,
): Promise<PutBack> {
  const put = await putBack(job, plan.steps);
  const left = [...plan.left, ...put.left];
  // The model was not told about the steps of an interrupted run, so they are added.
  const done = turn.undone ? put.done : [...turn.steps, ...put.done];
  const untouched = new Set(left.map(({ path }) => path));
  const paths = [...new Set(done.map(({ path }) => path))].filter((path) => !untouched.has(path));
  const partial = type === "undone" && left.some(({ retry }) => retry) ? { partial: true } : {};
  await write(job, { v: 1, type, group: turn.group, time: Date.now(), paths, ...partial });
  return { done: put.done, left };
}

async function write(job: Job, line: HistoryLine): Promise<void> {
  try {
    await appendLines(job.folder, [line]);
  } catch (error) {
    throw notWritten(job, error);
  }
}

/** Returns the error for a failed write. Undo then stops, so that it changes nothing that redo could not restore. */
function notWritten({ folder }: Job, error: unknown): Error {
  const message = `undo keeps the files that it replaces in ${folder}, which cannot be written: ${reasonOf(error)}. Free disk space or make the folder writable, then try again`;
  return configError(message, error);
}

async function takeNews(folder: string): Promise<readonly string[]> {
  if (!existsSync(changeLog(folder))) return [];
  try {
    if ((await readHistory(folder)).news.length === 0) return [];
    // The log is read again under the lock. Otherwise an undo that another process makes meanwhile would be marked as
    // told, although the model was not told about it.
    const news = await withFileLock(lockIn(folder), () => newsOnce(folder), newsTimes);
    if (news.length === 0) return [];
    const what = news.map((one) => `The person ${one}.`).join(" ");
    return [
      `${what} Those files are not as you left them: read them again before you rely on them, and do not make the same changes again unless you are asked to.`,
    ];
  } catch {
    return [];
  }
}

/**
 * The times of the lock for `news`. A message waits at most 3 s for a running undo; if that is not enough, the next
 * message has the notes.
 */
const newsTimes: LockTimes = { waitMs: 3_000, staleMs: 30_000 };

async function newsOnce(folder: string): Promise<readonly string[]> {
  const { news } = await readHistory(folder);
  if (news.length > 0) {
    await appendLines(folder, [{ v: 1, type: "told", time: Date.now() } satisfies HistoryLine]);
  }
  return news;
}

async function findSession(folder: string, id: string | undefined): Promise<string | undefined> {
  const names: readonly string[] = await readdir(folder).catch(() => []);
  if (id !== undefined) {
    const found = names.includes(id) ? [id] : names.filter((name) => name.startsWith(id));
    if (found.length > 1) throw usageError(`several sessions begin with ${id}: ${found.join(", ")}`);
    return found[0];
  }
  const changed = await Promise.all(
    names.map(async (name) => {
      const stats = await stat(changeLog(join(folder, name))).catch(() => undefined);
      return { name, time: stats?.mtimeMs ?? 0 };
    }),
  );
  return changed.filter(({ time }) => time > 0).toSorted((one, other) => other.time - one.time)[0]?.name;
}
