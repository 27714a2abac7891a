/** Draws the old lines of a diff on the left and the new lines on the right. */
import { visibleWidth } from "@earendil-works/pi-tui";
import type { DiffBlock } from "@localharness/protocol";
import type { Theme } from "../theme/theme.ts";
import { paintChange, paintLine, wrapLine } from "./paint-line.ts";

const reset = "\u001b[0m";

/**
 * Matches text whose width is the same in all terminals. Other text, such as emoji, could push the new line beside it
 * out of the window, so nothing is drawn to its right.
 */
const sure =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of styles take no columns.
  /^(?:\u001b\[[\d;]*m|[\x20-\x7e\uff01-\uff60]|(?=\p{L})[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\uac00-\ud7a3])*$/u;

/** Returns true if a diff both removes and adds lines. Otherwise one half of the window would stay empty. */
export function replacesLines(blocks: readonly DiffBlock[]): boolean {
  const has = (which: "removed" | "added") =>
    blocks.some((block) => block.kind === "changed" && block[which].length > 0);
  return has("removed") && has("added");
}

/** Returns the drawn lines. Each half of the window wraps its lines separately. */
export function drawSideBySide(blocks: readonly DiffBlock[], width: number, theme: Theme): readonly string[] {
  const left = Math.floor((width - 3) / 2);
  const halves: Halves = { left, right: width - 3 - left, separator: ` ${theme.style("border", "│")} ` };
  const drawn: string[] = [];
  for (const block of blocks) for (const line of blockLines(block, width, halves, theme)) drawn.push(line);
  return drawn;
}

interface Halves {
  /** The widths of the halves, in columns. */
  readonly left: number;
  readonly right: number;
  readonly separator: string;
}

function blockLines(block: DiffBlock, width: number, halves: Halves, theme: Theme): readonly string[] {
  if (block.kind === "changed") {
    const { removed, added } = paintChange(block, theme);
    const rows = Math.max(removed.length, added.length);
    return Array.from({ length: rows }, (_, at) => pairLines(removed[at], added[at], halves)).flat();
  }
  const line = paintLine(block, theme);
  const isTwice = block.kind === "same" && block.line.startsWith(" ") && sure.test(block.line);
  return isTwice ? pairLines(line, line, halves) : wrapLine(line, width);
}

/** Returns the rows of an old line with the new line beside it. Either line may be missing. */
function pairLines(old: string | undefined, fresh: string | undefined, halves: Halves): readonly string[] {
  const left = old === undefined ? [] : wrapLine(old, halves.left);
  const right = fresh === undefined ? [] : wrapLine(fresh, halves.right);
  if (old !== undefined && !sure.test(old)) return [...left.map(ended), ...besides([], right, halves)];
  return besides(left, right, halves);
}

function besides(left: readonly string[], right: readonly string[], halves: Halves): readonly string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => {
    const old = left[at] ?? "";
    const blank = " ".repeat(Math.max(0, halves.left - visibleWidth(old)));
    return `${ended(old)}${blank}${halves.separator}${right[at] ?? ""}`;
  });
}

/** Returns the piece with its styles ended. The next row of a wrapped line begins the same styles again. */
function ended(piece: string): string {
  return piece.includes("\u001b[") ? piece + reset : piece;
}
