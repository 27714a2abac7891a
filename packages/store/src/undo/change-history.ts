/** The log of a session's changes, folded: what each turn changed, what is undone, and what the model has not been told. */

import { configError } from "@localharness/engine";
import type { JsonValue } from "@localharness/protocol";
import { isJsonObject, reasonOf } from "@localharness/protocol";
import { type ChangeRecord, changeLog, type PathState, readPlain } from "@localharness/tools";

/** One path, from what stood there to what is to stand there. */
export interface Step {
  readonly path: string;
  readonly from: PathState;
  readonly to: PathState;
}

export interface TurnChanges {
  /** Its place in the log: what undo and redo are written down by. */
  readonly group: number;
  readonly turn: string;
  readonly changes: ChangeRecord[];
  /** What is not on record, in words. */
  readonly missed: string[];
  /** True from the end of an undo to the beginning of a redo: what was broken off can be gone on with both ways. */
  undone: boolean;
  /** What undo did or began to do, in several runs maybe: what redo takes back. */
  steps: readonly Step[];
}

export interface ChangeHistory {
  readonly turns: readonly TurnChanges[];
  /** Groups that can be redone, the next one last. */
  readonly redoable: readonly number[];
  /** What was undone or redone since the model was last told, in words. */
  readonly news: readonly string[];
}

/** A line that undo and redo write. */
export type HistoryLine = UndoLine | { readonly v: 1; readonly type: "told"; readonly time: number };

export type UndoLine =
  /** Before anything is put back. */
  | { readonly v: 1; readonly type: "undo"; readonly group: number; readonly steps: readonly Step[] }
  | { readonly v: 1; readonly type: "redo"; readonly group: number }
  | {
      readonly v: 1;
      readonly type: "undone" | "redone";
      readonly group: number;
      readonly time: number;
      /** Of what was changed. */
      readonly paths: readonly string[];
    };

/** Empty when there is no log. Lines that cannot be read are left out. Rejects with a `HarnessError` for what is no log. */
export async function readHistory(folder: string): Promise<ChangeHistory> {
  let text = "";
  try {
    text = (await readPlain(changeLog(folder))).toString("utf8");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT"))
      throw configError(`${changeLog(folder)} cannot be read: ${reasonOf(error)}`, error);
  }
  return foldHistory(text.split("\n"));
}

function foldHistory(lines: readonly string[]): ChangeHistory {
  const folding: Folding = { turns: [], redoable: [], news: [] };
  for (const text of lines) {
    const line = lineOf(text);
    if (line !== undefined) fold(folding, line);
  }
  return folding;
}

interface Folding {
  readonly turns: TurnChanges[];
  redoable: number[];
  news: string[];
}

type Line = HistoryLine | ChangeRecord | { readonly type: "missed"; turn: string; why: string };

function fold(folding: Folding, line: Line): void {
  switch (line.type) {
    case "change":
      groupOf(folding, line.turn).changes.push(line);
      folding.redoable = [];
      return;
    case "missed":
      groupOf(folding, line.turn).missed.push(line.why);
      return;
    case "told":
      folding.news = [];
      return;
    case "undo":
    case "undone":
    case "redo":
    case "redone": {
      const turn = folding.turns[line.group];
      if (turn !== undefined) foldUndo(folding, line, turn);
    }
  }
}

function foldUndo(folding: Folding, line: UndoLine, turn: TurnChanges): void {
  const others = folding.redoable.filter((group) => group !== line.group);
  switch (line.type) {
    case "undo":
      turn.steps = merged(turn.steps, line.steps);
      folding.redoable = [...others, line.group];
      return;
    case "undone":
      turn.undone = true;
      if (line.paths.length > 0) folding.news.push(`undid ${named(line.paths)}`);
      return;
    case "redo":
      turn.undone = false;
      return;
    case "redone":
      turn.undone = false;
      turn.steps = [];
      folding.redoable = others;
      if (line.paths.length > 0) folding.news.push(`did again ${named(line.paths)}`);
  }
}

/** What is changed after an undo belongs to another group, also when it is the same turn. */
function groupOf(folding: Folding, turn: string): TurnChanges {
  const last = folding.turns.at(-1);
  if (last?.turn === turn && last.steps.length === 0 && !last.undone) return last;
  const group = folding.turns.length;
  const made: TurnChanges = { group, turn, changes: [], missed: [], undone: false, steps: [] };
  folding.turns.push(made);
  return made;
}

/** The first `from` of a path is what stood there before anything was undone. */
function merged(steps: readonly Step[], more: readonly Step[]): readonly Step[] {
  const known = new Set(steps.map(({ path }) => path));
  return [...steps, ...more.filter(({ path }) => !known.has(path))];
}

const mostNamed = 20;

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, mostNamed).map((path) => JSON.stringify(path));
  return `${shown.join(", ")}${paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : ""}`;
}

/** Lines are written by this program alone; what is not as it writes them is left out. */
function lineOf(text: string): Line | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || value["v"] !== 1) return undefined;
  const { type, group, steps, paths, turn } = value;
  const right =
    type === "told" ||
    (type === "missed" && typeof turn === "string" && typeof value["why"] === "string") ||
    (type === "change" &&
      typeof turn === "string" &&
      isStep({ path: value["path"], from: value["before"], to: value["after"] })) ||
    (type === "undo" && typeof group === "number" && Array.isArray(steps) && steps.every(isStep)) ||
    (type === "redo" && typeof group === "number") ||
    ((type === "undone" || type === "redone") &&
      typeof group === "number" &&
      Array.isArray(paths) &&
      paths.every((path) => typeof path === "string"));
  return right ? (value as unknown as Line) : undefined;
}

const kinds: readonly unknown[] = ["absent", "file", "link", "folder", "other"];

function isStep(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { path, from, to } = value as Record<string, unknown>;
  return typeof path === "string" && isState(from) && isState(to);
}

function isState(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { kind, hash, mode, target } = value as Record<string, unknown>;
  if (kind === "file") return typeof hash === "string" && typeof mode === "number";
  if (kind === "link") return typeof target === "string";
  return kinds.includes(kind) && (kind !== "folder" || typeof mode === "number");
}
