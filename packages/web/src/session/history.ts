/** Walks through the messages of earlier sessions, as the arrow keys of the composer do. */

export interface MessageHistory {
  /**
   * Returns the message before (`-1`) or after (`1`) the shown one; undefined beyond either end. After the newest message
   * comes the draft: the `draft` given at the first step.
   */
  step(by: -1 | 1, draft: string): string | undefined;
  /** Adds a message, and begins at the end again. */
  add(message: string): void;
}

export function createHistory(earlier: readonly string[]): MessageHistory {
  const messages = [...earlier];
  let at = messages.length;
  let kept = "";
  return {
    step(by, draft) {
      const next = at + by;
      if (next < 0 || next > messages.length) return undefined;
      if (at === messages.length) kept = draft;
      at = next;
      return next === messages.length ? kept : messages[next];
    },
    add(message) {
      if (messages.at(-1) !== message) messages.push(message);
      at = messages.length;
    },
  };
}
