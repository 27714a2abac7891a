/** Draws the line that shows what a running turn is doing, for how long, and which key stops it. */
import { timeText } from "@localharness/protocol";
import { screenLine } from "../plain-text.ts";
import type { Theme } from "../theme/theme.ts";

const frames = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"];

/** The milliseconds between two frames of the animation. */
export const workingFrameMs = 250;

/**
 * From this iteration on, the line shows the number of iterations, because the person may want to look at such a long
 * turn.
 */
const countedFrom = 10;

export interface Work {
  readonly doing: string;
  readonly ms: number;
  readonly iteration: number;
  readonly iterationLimit: number;
}

export function workingLine({ doing, ms, iteration, iterationLimit }: Work, theme: Theme): string {
  const frame = frames[Math.floor(ms / workingFrameMs) % frames.length] ?? "";
  // The time is shown in whole seconds, so that the text does not change more often than the animation.
  const time = timeText(Math.floor(ms / 1_000) * 1_000 || 0);
  const count = iteration < countedFrom ? "" : ` · iteration ${iteration} of at most ${iterationLimit}`;
  const text = `${screenLine(doing)} · ${time}${count} · Esc interrupts`;
  return `${theme.style("accent", frame)} ${theme.style("dim", text)}`;
}
