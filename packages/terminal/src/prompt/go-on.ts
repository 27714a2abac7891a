/** Asks whether to continue the work after a limit has ended a turn. */
import type { SessionEvent } from "@localharness/protocol";
import type { Theme } from "../theme/theme.ts";

export interface GoOn {
  /** Opens the question at the end of a turn that has reached a limit; the next turn closes it. */
  take(event: SessionEvent): void;
  /**
   * Sends the message that continues the work. Returns false if the question is not open, or was opened too recently to be
   * read.
   */
  accept(): boolean;
  /** Closes the question. Returns false when it is not open. */
  close(): boolean;
  /** Returns the lines of the question; none when it is not open. */
  draw(theme: Theme): readonly string[];
}

export interface GoOnParts {
  /** Sends a message of the person. */
  submit(message: string): void;
  now(): number;
}

/** The time in which an Enter does not answer the question, because it was meant for something else. */
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
