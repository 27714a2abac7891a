/**
 * Delays keys that answer a question. A key answers only if no other key follows soon; otherwise the person is typing
 * text.
 */

export interface HeldKey {
  /** Holds the key that is being handled. It answers unless another key follows. */
  hold(): void;
  /** Returns true if a key that comes now cannot be from the same paste as the held key. */
  isApart(): boolean;
  /** Called after each handled key or paste. */
  pressed(): void;
  /** Drops the held key without calling `settle` or `drop`. */
  forget(): void;
}

export interface HeldKeyParts {
  readonly quietMs: number;
  /** The milliseconds within which keys may be from one paste, in a terminal that does not mark pastes. */
  readonly pasteMs: number;
  /** Called when no other key came within `quietMs`. */
  settle(): void;
  /** Called when another key came. */
  drop(): void;
}

export function createHeldKey({ quietMs, pasteMs, settle, drop }: HeldKeyParts): HeldKey {
  let keys = 0;
  /** The number of keys before the held key; undefined if no key is held. */
  let heldAt: number | undefined;
  /** The number of keys before the newest key that was held at least `pasteMs` ago. */
  let apartFrom: number | undefined;

  function settleIf(at: number): void {
    if (heldAt !== at) return;
    heldAt = undefined;
    settle();
  }

  return {
    hold() {
      const at = keys;
      heldAt = at;
      // Keys that arrived while the program was busy are still unread when the timer fires. setImmediate lets them be
      // read first.
      setTimeout(() => setImmediate(settleIf, at), quietMs).unref();
      const setApart = () => {
        apartFrom = at;
      };
      setTimeout(() => setImmediate(setApart), pasteMs).unref();
    },
    isApart: () => heldAt !== undefined && heldAt === apartFrom,
    pressed() {
      keys += 1;
      if (heldAt === undefined || keys === heldAt + 1) return;
      heldAt = undefined;
      drop();
    },
    forget() {
      heldAt = undefined;
    },
  };
}
