/** Finds the part of a file that is most similar to a text that was not found, for the message to the model. */
import { bareLine, splitLines } from "./lines.ts";

const maxLines = 20_000;
const shownLines = 14;
const minLikeness = 0.45;

/** Returns lines `12: text` around the most similar place, or undefined if nothing is similar. */
export function nearestRegion(text: string, wanted: string): string | undefined {
  const file = splitLines(text).slice(0, maxLines).map(bareLine);
  const block = wanted.split("\n").map((line) => line.trim());
  const start = bestByEqualLines(file, block) ?? bestByLikeness(file, block);
  return start === undefined ? undefined : numbered(file, start - 1, start + block.length + 1);
}

/** Returns the lines from `from` to `to` (indices, `to` excluded) with their numbers, at most 14 lines of 200 characters. */
export function numbered(lines: readonly string[], from: number, to: number): string {
  const first = Math.max(from, 0);
  const last = Math.min(to, lines.length, first + shownLines);
  return lines
    .slice(first, last)
    .map((line, index) => `${first + index + 1}: ${line.slice(0, 200)}`)
    .join("\n");
}

/**
 * Returns the index in the file at which the block would begin so that the most lines are equal; undefined if too few are
 * equal. Lines of at most 4 characters, such as `}`, have a low weight.
 */
function bestByEqualLines(file: readonly string[], block: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [index, line] of file.entries()) {
    const key = line.trim();
    const known = places.get(key);
    if (known === undefined) {
      places.set(key, [index]);
    } else if (known.length < 50) {
      known.push(index);
    }
  }
  const votes = new Map<number, number>();
  for (const [index, line] of block.entries()) {
    for (const place of line === "" ? [] : (places.get(line) ?? [])) {
      const start = Math.max(place - index, 0);
      votes.set(start, (votes.get(start) ?? 0) + (line.length > 4 ? 4 : 1));
    }
  }
  let best: { start: number; score: number } | undefined;
  for (const [start, score] of votes) {
    if (best === undefined || score > best.score) {
      best = { start, score };
    }
  }
  return best !== undefined && best.score >= 4 ? best.start : undefined;
}

function bestByLikeness(file: readonly string[], block: readonly string[]): number | undefined {
  const longest = block.reduce(
    (best, line, index) => (line.length > (block[best]?.length ?? 0) ? index : best),
    0,
  );
  const wanted = pairsOf(block[longest] ?? "");
  let best: { start: number; likeness: number } | undefined;
  for (const [index, line] of file.slice(0, 5000).entries()) {
    const likeness = likenessOf(wanted, pairsOf(line.trim().slice(0, 300)));
    if (likeness >= minLikeness && (best === undefined || likeness > best.likeness)) {
      best = { start: Math.max(index - longest, 0), likeness };
    }
  }
  return best?.start;
}

function pairsOf(line: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let index = 0; index + 1 < line.length; index += 1) {
    pairs.add(line.slice(index, index + 2).toLowerCase());
  }
  return pairs;
}

function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of one) {
    shared += other.has(pair) ? 1 : 0;
  }
  return one.size + other.size === 0 ? 0 : (2 * shared) / (one.size + other.size);
}
