/**
 * Maps one stream to another at the cost of one or two promises per event. An async generator needs ten, which would
 * take most of the processor time for a call that arrives in 200,000 pieces.
 */
import type { ModelEvent } from "@localharness/protocol";

type Result = IteratorResult<ModelEvent, undefined>;

/**
 * The result for one item: either the events that replace it, or a stream that replaces it and the rest of the source.
 */
export type Relayed = readonly ModelEvent[] | { readonly instead: AsyncIterable<ModelEvent> };

/**
 * Returns a stream of the events that `take` returns for each item, in order. After `take` has returned a stream, closes the
 * source and yields only the events of that stream. Callers must await each `next` before they call it again.
 */
export function relay<Item>(
  source: AsyncIterable<Item>,
  take: (item: Item) => Relayed,
): AsyncIterableIterator<ModelEvent, undefined> {
  return new EventRelay(source, take);
}

class EventRelay<Item> implements AsyncIterableIterator<ModelEvent, undefined> {
  readonly #source: AsyncIterator<Item>;
  readonly #take: (item: Item) => Relayed;
  #instead: AsyncIterator<ModelEvent> | undefined;
  #ready: readonly ModelEvent[] = [];
  #given = 0;

  constructor(source: AsyncIterable<Item>, take: (item: Item) => Relayed) {
    this.#source = source[Symbol.asyncIterator]();
    this.#take = take;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    const event = this.#ready[this.#given];
    if (event === undefined) return this.#pull();
    this.#given += 1;
    return Promise.resolve({ value: event, done: false });
  }

  /** Closes the source, or the stream that replaced it. */
  async return(): Promise<Result> {
    this.#ready = [];
    await (this.#instead ?? this.#source).return?.();
    return { value: undefined, done: true };
  }

  async #pull(): Promise<Result> {
    while (this.#instead === undefined) {
      const next = await this.#source.next();
      if (next.done === true) return { value: undefined, done: true };
      const relayed = this.#take(next.value);
      if ("instead" in relayed) {
        this.#instead = relayed.instead[Symbol.asyncIterator]();
        await this.#source.return?.();
        break;
      }
      const [event] = relayed;
      if (event === undefined) continue;
      this.#ready = relayed;
      this.#given = 1;
      return { value: event, done: false };
    }
    const next = await this.#instead?.next();
    return next === undefined || next.done === true ? { value: undefined, done: true } : next;
  }
}
