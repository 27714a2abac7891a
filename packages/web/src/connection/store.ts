/** Holds a value that changes, for React and for tests: the smallest store that `useSyncExternalStore` accepts. */

export interface Store<State> {
  get(): State;
  /** Replaces the value and calls the listeners, unless it is the same value. */
  set(change: State | ((before: State) => State)): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<State extends object>(first: State): Store<State> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(change) {
      const next = typeof change === "function" ? (change as (before: State) => State)(value) : change;
      if (next === value) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
