/** Passes each event of a session first to the store and then to the listeners, in order. */
import { reasonOf, type SessionEvent } from "@localharness/protocol";

/** Saves the events of a session, for example on disk. */
export interface TranscriptStore {
  /** Called once for each event, in order. Must not throw; a store reports its write errors itself. */
  append(event: SessionEvent): void;
  /** Called after the last event. Must not throw. */
  close?(): void;
}

export type SessionListener = (event: SessionEvent) => void;

export interface EventOutlet {
  push(event: SessionEvent): void;
  /**
   * Runs `work`, and passes its events to the listeners only when the store has all of them. A listener may end the program at
   * once, and the events that begin a session or a turn must be saved together.
   */
  together(work: () => void): void;
  /** Calls the listener for every later event. Returns a function that unsubscribes. */
  subscribe(listener: SessionListener): () => void;
  /** Closes the store. No event may be pushed after it. */
  close(): void;
}

export interface OutletParts {
  readonly store: TranscriptStore | undefined;
  /** Called at the first error of a store or listener, which still gets the later events. */
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
  /** True while `together` runs, which calls the listeners at its end. */
  #held = false;

  constructor(parts: OutletParts) {
    this.#parts = parts;
  }

  push(event: SessionEvent): void {
    const { store } = this.#parts;
    this.together(() => {
      // The event is queued before the store gets it, because a failing store emits events, which must come after this event.
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
    // Each subscription gets a new function, so that the same listener may be subscribed twice.
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
      this.#parts.onFailure(`${name} failed on an event: ${reasonOf(error)}`);
    }
  }
}
