/** Tells which lines of a terminal belong to one paste. The chat line by line does not ask terminals to mark pastes. */

/** Lines that come within this many milliseconds of each other may be from one paste. */
const pasteMs = 40;

export interface PasteLines {
  /** Called for each line. Returns the number of its paste; a line that is typed counts as a paste of one line. */
  take(): number;
  /** Resolves when no more lines of the paste can come, or when `signal` aborts. */
  ended(paste: number, signal?: AbortSignal): Promise<void>;
  /** Ends the last paste. Called at the end of the input. */
  end(): void;
}

/** `begun` returns true if a line was begun. After other lines of a paste it is the last line, which waits for Enter. */
export function createPasteLines(begun: () => boolean): PasteLines {
  let current = 0;
  let lines = 0;
  let isOpen = false;
  const listeners: (() => void)[] = [];

  function end(): void {
    isOpen = false;
    for (const listener of listeners.splice(0)) listener();
  }

  function endUnlessBegun(at: number): void {
    if (isOpen && lines === at && !begun()) end();
  }

  return {
    take() {
      if (!isOpen) current += 1;
      isOpen = true;
      lines += 1;
      // Keys that arrived while the program was busy are still unread when the timer fires. setImmediate lets them be
      // read first.
      setTimeout(() => setImmediate(endUnlessBegun, lines), pasteMs).unref();
      return current;
    },
    ended(paste, signal) {
      if (!isOpen || paste !== current || signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        listeners.push(resolve);
        signal?.addEventListener("abort", () => resolve(), { once: true });
      });
    },
    end,
  };
}
