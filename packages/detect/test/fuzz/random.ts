/** Makes pseudo-random numbers: the same seed and index give the same case on every machine. */

export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number in [0, below); 0 when `below` is 0. */
  below(below: number): number;
  chance(probability: number): boolean;
  /** One of the list, which must not be empty. */
  pick<T>(list: readonly T[]): T;
}

/** Returns a generator for one case of one run. */
export function randomOf(seed: number, index: number): Random {
  let state = mix(mix(seed | 0) ^ Math.imul(index + 1, 0x9e3779b1));
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    return (mix(state) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new Error("Expected a list to pick from, got an empty one.");
      return list[below(list.length)] as T;
    },
  };
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return mixed ^ (mixed >>> 15);
}
