/** Arranges the blocks of a diff as rows: an old line, the new line beside it, and their numbers. */
import type { DiffBlock } from "@localharness/protocol";

export type DiffRow =
  | { readonly kind: "hunk"; readonly text: string }
  | {
      readonly kind: "lines";
      /** The lines without their mark; `isSame` if both are the same line. */
      readonly old?: string;
      readonly fresh?: string;
      readonly oldLine?: number;
      readonly freshLine?: number;
      readonly isSame: boolean;
    };

/**
 * Returns the rows in order, without header lines. If `paired` is true, a new line is in the row of the old line that
 * it replaces. Otherwise all old lines of a change come before its new lines.
 */
export function rowsOf(blocks: readonly DiffBlock[], paired: boolean): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let oldLine = 1;
  let freshLine = 1;
  for (const block of blocks) {
    if (block.kind === "header") continue;
    if (block.kind === "hunk") {
      const [, old = "1", fresh = "1"] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(block.line) ?? [];
      oldLine = Number(old);
      freshLine = Number(fresh);
      rows.push({ kind: "hunk", text: block.line });
    } else if (block.kind === "same") {
      if (!block.line.startsWith(" ") && block.line !== "") {
        rows.push({ kind: "hunk", text: block.line });
        continue;
      }
      const text = block.line.slice(1);
      rows.push({ kind: "lines", old: text, fresh: text, oldLine, freshLine, isSame: true });
      oldLine += 1;
      freshLine += 1;
    } else if (block.kind === "changed") {
      rows.push(...changedRows(block, oldLine, freshLine, paired));
      oldLine += block.removed.length;
      freshLine += block.added.length;
    }
  }
  return rows;
}

function changedRows(
  { removed, added }: Extract<DiffBlock, { kind: "changed" }>,
  oldLine: number,
  freshLine: number,
  paired: boolean,
): readonly DiffRow[] {
  const olds = removed.map((line, at) => ({ old: line.slice(1), oldLine: oldLine + at }));
  const freshs = added.map((line, at) => ({ fresh: line.slice(1), freshLine: freshLine + at }));
  if (!paired) return [...olds, ...freshs].map((row) => ({ kind: "lines", isSame: false, ...row }));
  return Array.from({ length: Math.max(olds.length, freshs.length) }, (_, at) => ({
    kind: "lines",
    isSame: false,
    ...olds[at],
    ...freshs[at],
  }));
}
