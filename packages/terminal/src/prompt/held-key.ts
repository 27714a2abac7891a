/** A key that answers counts when it stays alone: whoever writes presses the next one before that. */

export interface HeldKey {
  /** The key that is taken now answers, unless another comes. */
  hold(): void;
  /** A key or a paste was taken. */
  pressed(): void;
  forget(): void;
}

export interface HeldKeyParts {
  readonly quietMs: number;
  /** Nothing has come. */
  settle(): void;
  /** Something has come. */
  drop(): void;
}

export function createHeldKey({ quietMs, settle, drop }: HeldKeyParts): HeldKey {
  let keys = 0;
  /** How many keys had come before the one that is held. */
  let heldAt: number | undefined;

  function settleIf(at: number): void {
    if (heldAt !== at) return;
    heldAt = undefined;
    settle();
  }

  return {
    hold() {
      const at = keys;
      heldAt = at;
      // Where the program was busy, keys wait to be read when the time is over: they come first.
      setTimeout(() => setImmediate(settleIf, at), quietMs).unref();
    },
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
