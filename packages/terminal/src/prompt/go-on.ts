/** Asks whether to continue the work after the limit of iterations has ended a turn. */
import type { SessionEvent } from "@localharness/protocol";
import type { Theme } from "../theme/theme.ts";

export interface GoOn {
  /** Opens the question when a turn ends at the limit of iterations; the start of the next turn closes the question. */
  take(event: SessionEvent): void;
  /**
   * Sends the message that continues the work. Returns false if the question is not open, or has been visible too
   * briefly to be read.
   */
  accept(): boolean;
  /** Closes the question. Returns false when it is not open. */
  close(): boolean;
  /** Returns the lines of the question; empty if it is not open. */
  draw(theme: Theme): readonly string[];
}

export interface GoOnParts {
  /** Sends a message of the person. */
  submit(message: string): void;
  now(): number;
}

/**
 * The milliseconds after the question appears in which Enter does not answer it, because it was meant for something
 * else.
 */
const quietMs = 300;

export function createGoOn({ submit, now }: GoOnParts): GoOn {
  let open = false;
  let visibleSince: number | undefined;

  function close(): boolean {
    const was = open;
    open = false;
    visibleSince = undefined;
    return was;
  }

  return {
    take(event) {
      if (event.type === "turn-start") close();
      if (event.type === "turn-end") open = event.reason === "iteration-limit";
    },
    accept() {
      if (visibleSince === undefined || now() - visibleSince < quietMs) return false;
      close();
      submit("go on");
      return true;
    },
    close,
    draw(theme) {
      if (!open) return [];
      visibleSince ??= now();
      return [`${theme.style("accent", "Go on?")} ${theme.style("dim", "Enter goes on · Esc ends here")}`];
    },
  };
}
