/** What templates drop by themselves, whatever a request looks like: one row for each template and kind. */
import type { Mark, MarkKind } from "@localharness/models/histories";

export interface Dropped {
  readonly template: string;
  readonly kind: MarkKind;
  readonly reason: string;
}

const drops: readonly Dropped[] = [];

/** The rows that explain what was lost. */
export function droppedBy(template: string, lost: readonly Mark[]): readonly Dropped[] {
  return drops.filter((row) => row.template === template && lost.some(({ kind }) => kind === row.kind));
}

/** Rows that explained nothing: they are not true, or not any more. */
export function unusedDrops(used: readonly Dropped[], templates: readonly string[]): readonly string[] {
  return drops
    .filter((row) => templates.includes(row.template) && !used.includes(row))
    .map(({ template, kind }) => `${template}  ${kind}`);
}
