/** Counts the lines that a unified diff adds and removes. */

export interface DiffCounts {
  readonly added: number;
  readonly removed: number;
}

/**
 * Returns how many lines the unified diff of one file adds and removes: the lines after the first `@@` that begin with `+`
 * or `-`. Without an `@@`, the whole text is read.
 */
export function countDiff(diff: string): DiffCounts {
  const lines = diff.split("\n");
  const body = lines.slice(lines.findIndex((line) => line.startsWith("@@")) + 1);
  const count = (mark: string) => body.filter((line) => line.startsWith(mark)).length;
  return { added: count("+"), removed: count("-") };
}
