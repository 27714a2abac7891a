/** Draws a unified diff: one line below the other, or in a wide window the old lines beside the new lines. */
import { readDiff } from "@localharness/protocol";
import type { Theme } from "../theme/theme.ts";
import { paintChange, paintLine, wrapLine } from "./paint-line.ts";
import { drawSideBySide, replacesLines } from "./side-by-side.ts";

/**
 * The minimum width for drawing old and new lines side by side: a window of 140 columns without the indentation of a
 * call.
 */
const sideBySideColumns = 136;

/**
 * Returns the drawn lines. Long lines wrap at `width` columns. The caller must have removed control characters from
 * `diff`.
 */
export function drawDiff(diff: string, width: number, theme: Theme): readonly string[] {
  const blocks = readDiff(diff);
  if (width >= sideBySideColumns && replacesLines(blocks)) return drawSideBySide(blocks, width, theme);
  const drawn: string[] = [];
  for (const block of blocks) {
    const lines =
      block.kind === "changed" ? Object.values(paintChange(block, theme)).flat() : [paintLine(block, theme)];
    for (const line of lines) for (const one of wrapLine(line, width)) drawn.push(one);
  }
  return drawn;
}
