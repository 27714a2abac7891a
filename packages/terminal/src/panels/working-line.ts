/** Draws the line that shows what a running turn does, for how long, and how to stop it. */
import { timeText } from "@localharness/protocol";
import { screenLine } from "../plain-text.ts";
import type { Theme } from "../theme/theme.ts";

const frames = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"];

/** Milliseconds between two frames of the animation. */
export const workingFrameMs = 250;

export function workingLine(doing: string, ms: number, theme: Theme): string {
  const frame = frames[Math.floor(ms / workingFrameMs) % frames.length] ?? "";
  // Whole seconds, so that the text does not change more often than the animation.
  const time = timeText(Math.floor(ms / 1_000) * 1_000 || 0);
  return `${theme.style("accent", frame)} ${theme.style("dim", `${screenLine(doing)} · ${time} · Esc interrupts`)}`;
}
