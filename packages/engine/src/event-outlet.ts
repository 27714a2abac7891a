/** The way out of a session: each event is kept by the store first, and then heard by every listener in the same order. */
import type { SessionEvent } from "@localharness/protocol";
import type { SessionListener } from "./session-options.ts";
import type { TranscriptStore } from "./transcript-store.ts";

export interface EventOutlet {
  push(event: SessionEvent): void;
  /**
   * What `work` pushes is heard when all of it is kept: whoever hears of a beginning may be killed right then, and what
   * belongs to it must not be lost.
   */
  together(work: () => void): void;
  /** Calls the listener for every event from now on; returns what ends that. */
  subscribe(listener: SessionListener): () => void;
  /** No event follows. */
  close(): void;
}

export interface OutletParts {
  readonly store: TranscriptStore | undefined;
  /** What listens must not end what it listens to: it keeps getting events, and this is called once. */
  onFailure(message: string): void;
}

export function createEventOutlet(parts: OutletParts): EventOutlet {
  return new Outlet(parts);
}

class Outlet implements EventOutlet {
  readonly #parts: OutletParts;
  readonly #unheard: SessionEvent[] = [];
  readonly #failedOnce = new Set<unknown>();
  #listeners: readonly SessionListener[] = [];
  /** Somebody further up tells the listeners, or will. */
  #held = false;

  constructor(parts: OutletParts) {
    this.#parts = parts;
  }

  push(event: SessionEvent): void {
    const { store } = this.#parts;
    this.together(() => {
      // Before the store is asked: what its failure causes comes after this event.
      this.#unheard.push(event);
      if (store !== undefined) this.#guarded(store, "the store of the session", () => store.append(event));
    });
  }

  together(work: () => void): void {
    if (this.#held) {
      work();
      return;
    }
    this.#held = true;
    try {
      work();
      for (let next = this.#unheard.shift(); next !== undefined; next = this.#unheard.shift())
        this.#tell(next);
    } finally {
      this.#held = false;
    }
  }

  subscribe(listener: SessionListener): () => void {
    // One object a subscription, so that the same function may be subscribed twice.
    const subscribed: SessionListener = (event) => listener(event);
    this.#listeners = [...this.#listeners, subscribed];
    return () => {
      this.#listeners = this.#listeners.filter((one) => one !== subscribed);
    };
  }

  close(): void {
    const { store } = this.#parts;
    if (store?.close !== undefined) this.#guarded(store, "the store of the session", () => store.close?.());
  }

  #tell(event: SessionEvent): void {
    for (const listener of this.#listeners) this.#guarded(listener, "a listener", () => listener(event));
  }

  #guarded(who: unknown, name: string, tell: () => void): void {
    try {
      tell();
    } catch (error) {
      if (this.#failedOnce.has(who)) return;
      this.#failedOnce.add(who);
      const reason = error instanceof Error ? error.message : String(error);
      this.#parts.onFailure(`${name} failed on an event: ${reason}`);
    }
  }
}
