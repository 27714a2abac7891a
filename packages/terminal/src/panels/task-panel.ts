/** Draws the model's open tasks above the editor: a count and at most five tasks. */

import { type ShownTask, taskMark } from "@localharness/protocol";
import { screenLine } from "../plain-text.ts";
import { fitLine } from "../screen/fit-line.ts";
import type { Theme } from "../theme/theme.ts";

export function drawTasks(
  tasks: readonly ShownTask[],
  width: number,
  rows: number,
  theme: Theme,
): readonly string[] {
  const open = tasks.filter(({ status }) => status !== "completed");
  if (open.length === 0) return [];
  const done = tasks.length - open.length;
  const room = Math.max(1, Math.min(5, rows));
  const lines = open.slice(0, room).map(({ content, status }) => {
    const text = fitLine(`${taskMark(status)} ${screenLine(content)}`, width);
    return status === "in_progress" ? theme.style("accent", text) : text;
  });
  const more = open.length - lines.length;
  const head = `tasks ${done}/${tasks.length}${more > 0 ? `, ${more} more open` : ""}`;
  return [theme.style("dim", head), ...lines];
}
