/**
 * Reads a session's change log: the changes of each turn, which changes are undone, and which undos and redos the model
 * has not been told about.
 */
import { configError } from "@localharness/engine";
import type { JsonValue } from "@localharness/protocol";
import { isJsonObject, reasonOf } from "@localharness/protocol";
import { type ChangeRecord, changeLog } from "@localharness/workspace/changes/change-folder";
import type { PathState } from "@localharness/workspace/changes/path-state";
import { readPlain } from "@localharness/workspace/files/plain-file";

/** The change of one path from one state to another. */
export interface Step {
  readonly path: string;
  readonly from: PathState;
  readonly to: PathState;
}

export interface TurnChanges {
  /**
   * The index in `ChangeHistory.turns`, by which undo and redo refer to these changes. A turn has several entries if its
   * tools changed something after an undo.
   */
  readonly group: number;
  readonly turn: string;
  readonly changes: ChangeRecord[];
  /** The calls that made the changes, in a few words each. */
  readonly calls: string[];
  /** Descriptions of changes that were not recorded. */
  readonly missed: string[];
  /**
   * True from the end of an undo whose steps all succeeded to the beginning of a redo. An undo or redo that was interrupted can be completed or
   * reversed.
   */
  undone: boolean;
  /** The steps that undo planned, perhaps in several runs, also those that failed. Redo reverses them. */
  steps: readonly Step[];
}

export interface ChangeHistory {
  readonly turns: readonly TurnChanges[];
  /** The `group`s of the turns that can be redone. The last one is redone first. */
  readonly redoable: readonly number[];
  /** Descriptions of the undos and redos that the model has not been told about. */
  readonly news: readonly string[];
}

/** A line that this package adds to the change log. */
export type HistoryLine = UndoLine | { readonly v: 1; readonly type: "told"; readonly time: number };

export type UndoLine =
  /** The line that is written before anything is restored. */
  | { readonly v: 1; readonly type: "undo"; readonly group: number; readonly steps: readonly Step[] }
  | { readonly v: 1; readonly type: "redo"; readonly group: number }
  | {
      readonly v: 1;
      readonly type: "undone" | "redone";
      readonly group: number;
      readonly time: number;
      /** The paths that were changed. */
      readonly paths: readonly string[];
      /** True if steps of an undo failed, so that the rest can be undone later. */
      readonly partial?: boolean;
    };

/**
 * Reads the history of a session; it is empty if there is no log. Skips lines that cannot be parsed. Rejects with a
 * `HarnessError` if the log cannot be read.
 */
export async function readHistory(folder: string): Promise<ChangeHistory> {
  let text = "";
  try {
    text = (await readPlain(changeLog(folder))).toString("utf8");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) {
      throw configError(`${changeLog(folder)} cannot be read: ${reasonOf(error)}`, error);
    }
  }
  return foldHistory(text.split("\n"));
}

function foldHistory(lines: readonly string[]): ChangeHistory {
  const folding: Folding = { turns: [], redoable: [], news: [] };
  for (const text of lines) {
    const line = lineOf(text);
    if (line !== undefined) fold(folding, line);
  }
  const words = { undone: "undid", redone: "did again" };
  return { ...folding, news: folding.news.map(({ type, paths }) => `${words[type]} ${named(paths)}`) };
}

interface Folding {
  readonly turns: TurnChanges[];
  redoable: number[];
  news: News[];
}

/** An undo or redo that the model has not been told about. */
interface News {
  readonly type: "undone" | "redone";
  readonly group: number;
  readonly paths: readonly string[];
}

type Line =
  | HistoryLine
  | ChangeRecord
  | { readonly type: "call"; turn: string; words: string }
  | { readonly type: "missed"; turn: string; why: string };

function fold(folding: Folding, line: Line): void {
  switch (line.type) {
    case "change":
      groupOf(folding, line.turn).changes.push(line);
      folding.redoable = [];
      return;
    case "call":
      groupOf(folding, line.turn).calls.push(line.words);
      return;
    case "missed":
      // A job that ends later tells about its turn.
      (openGroup(folding, line.turn) ?? groupOf(folding, line.turn)).missed.push(line.why);
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
      turn.undone = line.partial !== true;
      tell(folding, line);
      return;
    case "redo":
      turn.undone = false;
      return;
    case "redone":
      turn.undone = false;
      turn.steps = [];
      folding.redoable = others;
      tell(folding, line);
  }
}

/**
 * Adds an undo or redo to the list of what the model must be told, unless it changed no path. An undo and a redo of one
 * group that list the same paths cancel each other; the order of the paths differs, because a folder is made before its
 * contents and removed after them.
 */
function tell(folding: Folding, { type, group, paths }: News): void {
  if (paths.length === 0) return;
  const opposite = folding.news.findIndex(
    (one) => one.type !== type && one.group === group && sortedText(one.paths) === sortedText(paths),
  );
  if (opposite === -1) {
    // The end of an undo that failed in part names all paths again.
    folding.news = folding.news.filter((one) => one.type !== type || one.group !== group);
    folding.news.push({ type, group, paths });
  } else folding.news.splice(opposite, 1);
}

function sortedText(paths: readonly string[]): string {
  return paths.toSorted().join("\0");
}

/**
 * Returns the group to which a new change of `turn` belongs, and adds the group if it is new. A change after an undo
 * that was not redone in full gets a new group, even in the same turn.
 */
function groupOf(folding: Folding, turn: string): TurnChanges {
  const last = folding.turns.at(-1);
  if (last?.turn === turn && last.steps.length === 0 && !last.undone) return last;
  const group = folding.turns.length;
  const made: TurnChanges = { group, turn, changes: [], calls: [], missed: [], undone: false, steps: [] };
  folding.turns.push(made);
  return made;
}

/** Returns the last group of the turn that is not undone at all; undefined if there is none. */
function openGroup({ turns }: Folding, turn: string): TurnChanges | undefined {
  return turns.findLast((one) => one.turn === turn && !one.undone && one.steps.length === 0);
}

/**
 * Returns `steps`, and those of `more` whose paths are not in `steps`. The first `from` of a path is its state before
 * the undo began, so it must stay.
 */
function merged(steps: readonly Step[], more: readonly Step[]): readonly Step[] {
  const known = new Set(steps.map(({ path }) => path));
  return [...steps, ...more.filter(({ path }) => !known.has(path))];
}

const maxNamed = 20;

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, maxNamed).map((path) => JSON.stringify(path));
  return `${shown.join(", ")}${paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : ""}`;
}

/** Parses a line of the log. Returns undefined for a line that this program does not write. */
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
    (type === "call" && typeof turn === "string" && typeof value["words"] === "string") ||
    (type === "missed" && typeof turn === "string" && typeof value["why"] === "string") ||
    (type === "change" &&
      typeof turn === "string" &&
      (value["folder"] === undefined || typeof value["folder"] === "string") &&
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
