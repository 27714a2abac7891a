/** A queue: `put` adds an item at any time, and `take` waits for the next item. */
export interface Mailbox<T> {
  put(item: T): void;
  /** Resolves to the oldest item as soon as the queue has an item. Only one caller may wait at a time. */
  take(): Promise<T>;
}

export function createMailbox<T>(): Mailbox<T> {
  const items: T[] = [];
  let waiting: ((item: T) => void) | undefined;
  return {
    put(item) {
      const reader = waiting;
      waiting = undefined;
      if (reader === undefined) items.push(item);
      else reader(item);
    },
    take() {
      const item = items.shift();
      if (item !== undefined) return Promise.resolve(item);
      return new Promise((resolve) => {
        waiting = resolve;
      });
    },
  };
}
