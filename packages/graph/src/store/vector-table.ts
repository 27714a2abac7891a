/** Holds vectors in memory and finds the most similar ones. A vector has one signed byte for each part. */

export interface VectorTable {
  /** Adds the vector of a section, or replaces it. */
  put(section: number, vector: Int8Array): void;
  /** Returns the number of vectors. */
  size(): number;
  /** Returns the ids of at most `most` sections with a positive dot product, the largest first; only sections of `among` if given. */
  nearest(asked: Int8Array, most: number, among?: ReadonlySet<number>): readonly number[];
}

/**
 * Vectors whose signs agree with the question's in most parts are candidates, and only candidates are compared part by part.
 * At least this many vectors, and a tenth of all, are candidates.
 */
const minCandidates = 4_096;
const bitsOfWord = 32;

export function createVectorTable(dimension: number, expected: number): VectorTable {
  const words = Math.ceil(dimension / bitsOfWord);
  const places = new Map<number, number>();
  let sections = new Float64Array(Math.max(16, expected));
  let parts = new Int8Array(sections.length * dimension);
  let signs = new Int32Array(sections.length * words);

  const grow = () => {
    sections = enlarged(sections, new Float64Array(sections.length * 2));
    parts = enlarged(parts, new Int8Array(parts.length * 2));
    signs = enlarged(signs, new Int32Array(signs.length * 2));
  };
  const dot = (asked: Int8Array, place: number) => {
    const start = place * dimension;
    let sum = 0;
    for (let part = 0; part < dimension; part += 1) sum += (asked[part] ?? 0) * (parts[start + part] ?? 0);
    return sum;
  };
  return {
    put(section, vector) {
      const place = places.get(section) ?? places.size;
      if (place === sections.length) grow();
      places.set(section, place);
      sections[place] = section;
      parts.set(vector, place * dimension);
      signs.set(signsOf(vector, words), place * words);
    },
    size: () => places.size,
    nearest(asked, most, among) {
      const best = createBest(most);
      const ids = among ?? places.keys();
      const compared = Array.from(ids, (section) => places.get(section)).filter(
        (place) => place !== undefined,
      );
      const candidates = agreeing({ signs, words, compared }, signsOf(asked, words), most);
      for (const place of candidates) best.offer(sections[place] ?? 0, dot(asked, place));
      return best.ids();
    },
  };
}

function enlarged<Values extends Float64Array | Int8Array | Int32Array>(from: Values, to: Values): Values {
  to.set(from);
  return to;
}

/** Returns one bit for each part: 1 if the part is positive. */
function signsOf(vector: Int8Array, words: number): Int32Array {
  const signs = new Int32Array(words);
  for (const [part, value] of vector.entries()) {
    const word = part >>> 5;
    if (value > 0) signs[word] = (signs[word] ?? 0) | (1 << (part & 31));
  }
  return signs;
}

interface Signs {
  readonly signs: Int32Array;
  readonly words: number;
  /** The places of the vectors to compare. */
  readonly compared: readonly number[];
}

/** Returns the places of the vectors whose signs differ least from the given ones: at least `most` if there are as many. */
function agreeing({ signs, words, compared }: Signs, asked: Int32Array, most: number): readonly number[] {
  const wanted = Math.max(minCandidates, Math.ceil(compared.length / 10), most);
  if (compared.length <= wanted) return compared;
  const differences = new Uint16Array(compared.length);
  const counts = new Uint32Array(words * bitsOfWord + 1);
  for (const [index, place] of compared.entries()) {
    let bits = 0;
    for (let word = 0; word < words; word += 1)
      bits += setBits((asked[word] ?? 0) ^ (signs[place * words + word] ?? 0));
    differences[index] = bits;
    counts[bits] = (counts[bits] ?? 0) + 1;
  }
  let limit = 0;
  for (let found = 0; limit < counts.length; limit += 1) {
    found += counts[limit] ?? 0;
    if (found >= wanted) break;
  }
  return compared.filter((_, index) => (differences[index] ?? 0) <= limit);
}

/** Returns the number of bits of a word that are 1. */
function setBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

interface Best {
  offer(section: number, score: number): void;
  /** Returns the ids of the sections with the best scores, the best first. */
  ids(): readonly number[];
}

function createBest(most: number): Best {
  const found: { readonly section: number; readonly score: number }[] = [];
  let least = 0;
  const cut = () =>
    found.sort((left, right) => right.score - left.score || left.section - right.section).splice(most);
  return {
    offer(section, score) {
      if (score <= 0 || (found.length >= most && score <= least)) return;
      found.push({ section, score });
      if (found.length < most * 2) return;
      cut();
      least = found.at(-1)?.score ?? least;
    },
    ids() {
      cut();
      return found.map(({ section }) => section);
    },
  };
}
