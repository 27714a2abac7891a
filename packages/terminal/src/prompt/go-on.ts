/** Asks whether the work goes on after a limit has ended a turn. */
import type { SessionEvent } from "@localharness/protocol";
import type { Theme } from "../theme/theme.ts";

export interface GoOn {
  /** Opens the question at the end of a turn that met a limit; the next turn closes it. */
  take(event: SessionEvent): void;
  /** Has the work go on. Returns false when the question is not open, or not yet long enough to be read. */
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

/** Enter pressed sooner than this was meant for something else. */
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
