/** Keeps the items of a timeline in order. A list that was given out never changes. */
import type { Item, ItemOf } from "./item.ts";

/** What has happened to an item. */
export type TimelineChange =
  /** The item is new (`before` is absent), or takes the place of `before`. */
  | { readonly kind: "put"; readonly item: Item; readonly before?: Item }
  /** A live text begins with `by`, or has grown by it. */
  | { readonly kind: "grown"; readonly item: ItemOf<"answer" | "thought">; readonly by: string }
  /** The model took back what it wrote, or did not finish it. */
  | { readonly kind: "removed"; readonly item: Item };

export class ItemList {
  readonly #tell: (change: TimelineChange) => void;
  #items: Item[] = [];
  /** The index of each item, by key. */
  readonly #places = new Map<string, number>();
  #isGivenOut = false;

  constructor(tell: (change: TimelineChange) => void) {
    this.#tell = tell;
  }

  get length(): number {
    return this.#items.length;
  }

  /** Returns the items; the same array as before when nothing has changed. */
  all(): readonly Item[] {
    this.#isGivenOut = true;
    return this.#items;
  }

  find(key: string): Item | undefined {
    const at = this.#places.get(key);
    return at === undefined ? undefined : this.#items[at];
  }

  /** Adds the item, or replaces the item of the same key. */
  put(item: Item): void {
    const before = this.#set(item);
    this.#tell(before === undefined ? { kind: "put", item } : { kind: "put", item, before });
  }

  grow(item: ItemOf<"answer" | "thought">, by: string): void {
    this.#set(item);
    this.#tell({ kind: "grown", item, by });
  }

  remove(key: string): void {
    const at = this.#places.get(key);
    if (at !== undefined) this.removeFrom(at, (item) => item.key === key);
  }

  /** Removes the items from an index on that `isGone` returns true for, and returns them. */
  removeFrom(from: number, isGone: (item: Item) => boolean): readonly Item[] {
    this.#prepare();
    const gone: Item[] = [];
    for (const item of this.#items.splice(from)) {
      this.#places.delete(item.key);
      if (isGone(item)) gone.push(item);
      else this.#append(item);
    }
    for (const item of gone) this.#tell({ kind: "removed", item });
    return gone;
  }

  #set(item: Item): Item | undefined {
    this.#prepare();
    const at = this.#places.get(item.key);
    if (at === undefined) {
      this.#append(item);
      return undefined;
    }
    const before = this.#items[at];
    this.#items[at] = item;
    return before;
  }

  #append(item: Item): void {
    this.#places.set(item.key, this.#items.length);
    this.#items.push(item);
  }

  /** Copies the array once after it was given out. */
  #prepare(): void {
    if (this.#isGivenOut) this.#items = [...this.#items];
    this.#isGivenOut = false;
  }
}
