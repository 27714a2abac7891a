/** Reads a unified diff as blocks: unchanged lines, and runs of removed and added lines. */

export type DiffBlock =
  | { readonly kind: "header" | "hunk" | "same"; readonly line: string }
  /** The removed and the added lines, each with its `-` or `+`. One of the two lists may be empty. */
  | { readonly kind: "changed"; readonly removed: readonly string[]; readonly added: readonly string[] };

export function readDiff(diff: string): readonly DiffBlock[] {
  const lines = diff.replace(/\n$/, "").split("\n");
  const blocks: DiffBlock[] = [];
  // After the first hunk header, `--- x` is the removed line `-- x`, not a file header.
  const hunk = lines.findIndex(isHunk);
  const body = hunk === -1 ? lines.findIndex((line) => !isHeader(line)) : hunk;
  for (let at = 0; at < lines.length; ) {
    const removed = at < body ? [] : run(lines, at, "-");
    const added = at < body ? [] : run(lines, at + removed.length, "+");
    if (removed.length + added.length > 0) {
      blocks.push({ kind: "changed", removed, added });
      at += removed.length + added.length;
      continue;
    }
    const line = lines[at] ?? "";
    blocks.push({ kind: isHunk(line) ? "hunk" : at < body && isHeader(line) ? "header" : "same", line });
    at += 1;
  }
  return blocks;
}

function isHunk(line: string): boolean {
  return line.startsWith("@@");
}

function isHeader(line: string): boolean {
  return /^(?:--- |\+\+\+ |diff |index )/.test(line);
}

function run(lines: readonly string[], from: number, mark: "-" | "+"): readonly string[] {
  let to = from;
  while (lines[to]?.startsWith(mark) === true) to += 1;
  return lines.slice(from, to);
}
