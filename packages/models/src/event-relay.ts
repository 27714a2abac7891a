/**
 * Streams made of other streams, at the cost of a promise or two an event. Async generators take ten, which for a
 * call that streams in as 200,000 pieces is most of the processor time.
 */
import type { ModelEvent } from "@localharness/protocol";

type Result = IteratorResult<ModelEvent, undefined>;

/** What becomes of one item: events in its place, or a stream that is passed on in place of the rest of the source. */
export type Relayed = readonly ModelEvent[] | { readonly instead: AsyncIterable<ModelEvent> };

/** Hands on what `take` makes of each item of the source, in order. One `next` at a time. */
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

  /** Ends the source as well. */
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
