/** One line that says what goes on while a turn runs, and how to stop it. */

import { timeText } from "@localharness/protocol";
import { screenLine } from "../plain-text.ts";
import type { Theme } from "../theme/theme.ts";

const frames = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"];

/** How often the line changes by itself. */
export const workingFrameMs = 250;

export function workingLine(doing: string, ms: number, theme: Theme): string {
  const frame = frames[Math.floor(ms / workingFrameMs) % frames.length] ?? "";
  // Whole seconds: nothing changes more often than the mark.
  const time = timeText(Math.floor(ms / 1_000) * 1_000 || 0);
  return `${theme.style("accent", frame)} ${theme.style("dim", `${screenLine(doing)} · ${time} · Esc interrupts`)}`;
}
