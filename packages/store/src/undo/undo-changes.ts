/** Undoes the file changes of a session's tools, turn by turn, and redoes them. */
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { configError, usageError } from "@localharness/engine";
import { countText, reasonOf, type SessionChanges } from "@localharness/protocol";
import {
  appendLines,
  changeLog,
  type PathState,
  type ReadLedger,
  sessionChanges,
  stateAt,
  type Workspace,
  type WriteJournal,
  workspaceChanges,
} from "@localharness/tools";
import { type LockTimes, withFileLock } from "../kept-file/file-lock.ts";
import { titleOf } from "../sessions/count-messages.ts";
import { sessionPath, sessionsFolder } from "../sessions/session-place.ts";
import { type ChangeHistory, type HistoryLine, readHistory, type TurnChanges } from "./change-history.ts";
import { planRedo, planUndo, type UndoPlan } from "./plan-undo.ts";
import { keepForRedo, type PutBack, putBack } from "./put-back.ts";
import { type ChangeReport, reportOf } from "./report-changes.ts";
import { listSessionChanges } from "./session-changes.ts";

export interface Undo {
  /**
   * Undoes the last turns that are not undone, by default one. Rejects with a `HarnessError` if the log cannot be read or
   * written, if the current contents cannot be kept for redo, or if another process undoes in this session; with the
   * system's error if the lock cannot be written.
   */
  undo(sessionId: string, turns?: number): Promise<ChangeReport>;
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
    return withFileLock(lockIn(folder), (stillHeld) => work({ ...parts, sessionId, folder, stillHeld }));
  };
  return {
    undo: (sessionId, turns = 1) => locked(sessionId, nothingToUndo, (job) => undoTurns(job, turns)),
    redo: (sessionId) => locked(sessionId, nothingToRedo, redoTurn),
    changes: (sessionId) => listSessionChanges({ ...parts, folder: folderOf(sessionId) }),
    news: (sessionId) => takeNews(folderOf(sessionId)),
    findSession: (id) => findSession(workspaceChanges(parts.stateFolder, root), id),
  };
}

const nothingToUndo =
  "there is nothing to undo: no tool has changed files in this session, or every change is undone. Changes from before a branch are undone in the session that it came from: localharness undo --session ID";
const nothingToRedo = "there is nothing to redo";

async function undoTurns(job: Job, turns: number): Promise<ChangeReport> {
  const reports: ChangeReport[] = [];
  while (reports.length < turns) {
    const report = await undoNext(job);
    if (report === "none") break;
    if (report !== "nothing-happened") reports.push(report);
  }
  if (reports.length === 0) return { lines: [nothingToUndo], changed: 0 };
  const { turns: all } = await readHistory(job.folder);
  const more = moreTurns(all.filter(({ undone }) => !undone).length, "undone");
  const fewer = reports.length < turns ? [`no other turns were left: ${reports.length} of ${turns}`] : [];
  return {
    lines: [
      ...reports.flatMap(({ lines }) => lines),
      ...more,
      ...fewer,
      "changes made by commands are not covered by undo",
    ],
    changed: reports.reduce((sum, { changed }) => sum + changed, 0),
  };
}

async function undoNext(job: Job): Promise<ChangeReport | "none" | "nothing-happened"> {
  const history = await readHistory(job.folder);
  const turn = history.turns.findLast(({ undone }) => !undone);
  if (turn === undefined) return "none";
  const { states, bytes } = await lookAtAll(
    job.workspace,
    turn.changes.map(({ path }) => path),
  );
  const plan = planUndo(turn.changes, states);
  const steps = await Promise.all(
    plan.steps.map((step) => keepForRedo(job.folder, step, bytes.get(step.path), job.secrets)),
  ).catch((error: unknown) => {
    throw notWritten(job, error);
  });
  await write(job, { v: 1, type: "undo", group: turn.group, steps });
  const put = await finish(job, "undone", turn, { ...plan, steps });
  const { missed } = turn;
  if (put.done.length + put.left.length + missed.length === 0) return "nothing-happened";
  return reportOf("undone", await turnInWords(job, turn.turn), put, missed);
}

async function redoTurn(job: Job): Promise<ChangeReport> {
  const history: ChangeHistory = await readHistory(job.folder);
  const turn = history.turns[history.redoable.at(-1) ?? -1];
  if (turn === undefined) return { lines: [nothingToRedo], changed: 0 };
  const { states } = await lookAtAll(
    job.workspace,
    turn.steps.map(({ path }) => path),
  );
  await write(job, { v: 1, type: "redo", group: turn.group });
  const put = await finish(job, "redone", turn, planRedo(turn.steps, states));
  if (put.done.length + put.left.length === 0) return redoTurn(job);
  const report = reportOf("redone", await turnInWords(job, turn.turn), put, []);
  const { redoable } = await readHistory(job.folder);
  return { ...report, lines: [...report.lines, ...moreTurns(redoable.length, "redone")] };
}

/** Returns a line that says how many other turns can be undone or redone; no line if there are none. */
function moreTurns(count: number, what: "undone" | "redone"): readonly string[] {
  return count === 0 ? [] : [`${countText(count, "more turn")} can be ${what}`];
}

/** Returns the first words of the message that began the turn; the turn's number if no such message can be read. */
async function turnInWords({ stateFolder, workspace, sessionId }: Job, turnId: string): Promise<string> {
  const number = turnId.replace("-", " ");
  const path = sessionPath(sessionsFolder(stateFolder, workspace.root), sessionId);
  if (!existsSync(path)) return number;
  try {
    const { readSessionFile } = await import("../sessions/read-session.ts");
    const { events } = await readSessionFile(path);
    const asked = events.find(
      (event) => event.turnId === turnId && event.type === "user-message" && event.from === "person",
    );
    return asked?.type === "user-message" ? `"${titleOf(asked.content, maxWordsChars)}"` : number;
  } catch {
    return number;
  }
}

const maxWordsChars = 60;

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
  await write(job, { v: 1, type, group: turn.group, time: Date.now(), paths });
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

async function lookAtAll(workspace: Workspace, paths: readonly string[]) {
  const states = new Map<string, PathState | string>();
  const bytes = new Map<string, Buffer>();
  for (const path of new Set(paths)) {
    const looked = await stateAt(workspace, path);
    states.set(path, looked.ok ? looked.value.state : looked.message);
    if (looked.ok && looked.value.bytes !== undefined) bytes.set(path, looked.value.bytes);
  }
  return { states, bytes };
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
