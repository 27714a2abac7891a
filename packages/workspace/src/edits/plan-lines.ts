/** Plans and stores edits by line numbers, for `replace_lines` and `insert_lines`. */

import type { ToolOutput } from "@localharness/engine";
import { countText } from "@localharness/protocol";
import { bareLine, type LineEnd, lineEndOf, newLines, splitLines } from "../files/lines.ts";
import { unifiedDiff } from "../files/unified-diff.ts";
import { type Failure, found, type Outcome, refused } from "../outcome.ts";
import { encodeFor, type LoadedText, type StoringParts, storeFile } from "./load-text.ts";

export interface LineChange {
  /** Index, from 0, of the first line to remove, or of the line before which `content` is inserted. */
  readonly from: number;
  /** Number of lines to remove. */
  readonly remove: number;
  readonly content: string;
}

export interface LinePlan {
  readonly file: LoadedText;
  readonly text: string;
  readonly change: LineChange;
  readonly added: number;
}

export function planLines(file: LoadedText, change: LineChange): LinePlan {
  const lines = splitLines(file.text);
  const end = lineEndOf(file.text);
  const added = newLines(change.content, end);
  const changed = [...lines.slice(0, change.from), ...added, ...lines.slice(change.from + change.remove)];
  return { file, change, added: added.length, text: joined(lines, changed, end) };
}

/** Joins the lines. Each line gets a line end, except the last line of a file that did not end with a line end before. */
function joined(before: readonly string[], after: string[], end: LineEnd): string {
  const open = before.length > 0 && !(before.at(-1) ?? "").endsWith("\n");
  const last = after.length - 1;
  return after
    .map((line, index) => {
      if (index === last && open) return bareLine(line);
      return index < last && !line.endsWith("\n") ? line + end : line;
    })
    .join("");
}

/** Returns a failure unless `line` is a whole number from `first` to `last`. */
export function lineProblem(
  name: string,
  line: number | undefined,
  first: number,
  last: number,
): Failure | undefined {
  if (line !== undefined && Number.isInteger(line) && line >= first && line <= last) return undefined;
  return refused(
    "validation_failed",
    `${name} is ${line ?? "missing"}, a whole number from ${first} to ${last} was expected.`,
  );
}

type LineLedger = Pick<StoringParts, "ledger">;

/**
 * Stores the changed text and returns the plan. Fails if the file, or the numbers of the lines, have changed since the model
 * saw them, or if a curator left one of the lines out. Also changes a file that the model has never seen.
 */
export async function storeLines(resources: StoringParts, plan: LinePlan): Promise<Outcome<LinePlan>> {
  const { file, change } = plan;
  const stale = (await resources.ledger.checkFresh(file.path, file.bytes)) ?? refuseLines(resources, plan);
  if (stale !== undefined) return stale;
  const bytes = encodeFor(file, plan.text);
  if (!bytes.ok) return bytes;
  const shift = { line: change.from + change.remove + 1, by: plan.added - change.remove };
  const stored = await storeFile(resources, file.path, { bytes: bytes.value, old: file.stats, shift });
  return stored.ok ? found(plan) : stored;
}

/** Returns a failure if the numbers or the lines of the change were not shown, or if the file cannot have the new text. */
export function refuseLines(resources: LineLedger, plan: LinePlan): Failure | undefined {
  const { file, change } = plan;
  const total = splitLines(file.text).length;
  const last = change.from + Math.max(change.remove, 1);
  const numbers = change.from === total ? undefined : resources.ledger.checkLine(file.path, last);
  const refusal = numbers ?? unshown(resources, plan, total);
  if (refusal !== undefined) return refusal;
  const bytes = encodeFor(file, plan.text);
  return bytes.ok ? undefined : bytes;
}

/**
 * Returns a failure if a curator left out lines that the change touches: the removed lines, or the lines around inserted lines.
 */
function unshown({ ledger }: LineLedger, { file, change }: LinePlan, total: number): Failure | undefined {
  const { from, remove } = change;
  if (from === total) return undefined;
  if (remove > 0) return ledger.checkShown(file.path, from + 1, from + remove);
  return ledger.checkShown(file.path, Math.max(from, 1), from + 1);
}

/** Returns the tool output for a stored change. */
export function linesOutput(plan: LinePlan, sentence: string): ToolOutput {
  const total = splitLines(plan.text).length;
  const by = plan.added - plan.change.remove;
  const moved = by === 0 ? "" : ` Lines after them moved by ${by > 0 ? "+" : ""}${by}.`;
  return {
    ok: true,
    data: `${sentence} The file has ${countText(total, "line")} now.${moved}`,
    details: { path: plan.file.path, diff: unifiedDiff(plan.file.path, plan.file.text, plan.text) },
    achieved: [{ kind: "wrote", subject: plan.file.path }],
  };
}
