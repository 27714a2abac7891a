/** A queue that one side fills at any time and the other awaits. */
export interface Mailbox<T> {
  put(item: T): void;
  /** The oldest item, as soon as there is one. One reader at a time. */
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
