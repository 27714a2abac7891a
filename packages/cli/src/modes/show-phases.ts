/** Shows on a terminal what the model does until its answer comes: one line that is redrawn and then removed. */
import type { Session } from "@localharness/engine";
import {
  type PhaseOfCall,
  phaseText,
  promptProgressText,
  type SessionEvent,
  timeText,
} from "@localharness/protocol";

export interface PhaseScreen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Returns true for a terminal on which a line can be drawn again. */
export function canRedraw(
  { isTTY }: Pick<PhaseScreen, "isTTY">,
  env: NodeJS.ProcessEnv = process.env,
): boolean {
  return isTTY === true && env["TERM"] !== "dumb";
}

/** The events after which the line stays on the screen, because they print nothing. */
const quiet: ReadonlySet<SessionEvent["type"]> = new Set<SessionEvent["type"]>([
  ...(["model-phase", "prompt-progress", "reasoning-delta", "tool-call-delta", "usage"] as const),
]);

const removeLine = "\r\u001b[K";

/**
 * Draws the line for the model calls of a session; does nothing if `screen` cannot redraw a line. Must be called before
 * other code that prints the session's events subscribes to them. `textShows`: the answer's text goes to this terminal too.
 */
export function showPhases(
  session: Pick<Session, "subscribe">,
  screen: PhaseScreen,
  textShows: boolean,
  env: NodeJS.ProcessEnv = process.env,
): void {
  if (!canRedraw(screen, env)) return;
  let line: { readonly words: (ms: number) => string; readonly began: number } | undefined;
  let timer: NodeJS.Timeout | undefined;

  const draw = () => {
    if (line === undefined) return;
    const ms = performance.now() - line.began;
    // The line is redrawn once a second, so its time is in whole seconds. A terminal of unknown size has the width 0.
    const time = ms < 1_000 ? "" : ` · ${timeText(Math.floor(ms / 1_000) * 1_000)}`;
    const text = `· ${line.words(ms)}${time}`;
    screen.write(`${removeLine}${text.slice(0, Math.max(1, (screen.columns || 80) - 1))}`);
  };
  const begin = (words: (ms: number) => string) => {
    line = { words, began: performance.now() };
    timer ??= setInterval(draw, 1_000).unref();
    draw();
  };
  const clear = () => {
    clearInterval(timer);
    timer = undefined;
    if (line !== undefined) screen.write(removeLine);
    line = undefined;
  };
  const take = (phase: PhaseOfCall) =>
    phase.phase === "writing" && textShows ? clear() : begin((ms) => phaseText(phase, ms));

  session.subscribe((event) => {
    if (event.type === "model-phase") take(event);
    else if (event.type === "prompt-progress" && line !== undefined) {
      line = { ...line, words: () => promptProgressText(event) };
      draw();
    } else if (!quiet.has(event.type) && (textShows || event.type !== "text-delta")) clear();
  });
}
