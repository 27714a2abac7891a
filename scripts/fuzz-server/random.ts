/** Makes random choices. The same seed gives the same choices. */

export interface Random {
  /** Returns a whole number from 0 to below `limit`. */
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** Returns true in one of `times` cases. */
  oneIn(times: number): boolean;
  bytes(count: number): Buffer;
}

export function randomFrom(seed: number): Random {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    oneIn: (times) => below(times) === 0,
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error("pick expects a list with items");
      return item;
    },
  };
}
