/**
 * Ranks paths by fuzzy match: all typed letters must occur in order. The work is done in short slices, so that key
 * presses are handled in between.
 */

export interface PathTable {
  readonly paths: readonly string[];
  /** The paths in lower case, for comparison. */
  readonly lower: readonly string[];
  /** For each path a bit set of its characters. It quickly rules out most paths. */
  readonly letters: Uint32Array;
  /** The offset of the last name in each path. */
  readonly names: Uint32Array;
}

/** The milliseconds of one slice. */
const sliceMs = 6;
/** The number of paths between two checks of the clock. */
const chunk = 512;

/** Builds the table of paths. Awaits `rest` between slices, because 100,000 paths take some tens of milliseconds. */
export async function createPathTable(
  paths: readonly string[],
  rest: () => Promise<void>,
): Promise<PathTable> {
  const lower: string[] = [];
  const letters = new Uint32Array(paths.length);
  const names = new Uint32Array(paths.length);
  let until = performance.now() + sliceMs;
  for (const [index, path] of paths.entries()) {
    const folded = path.toLowerCase();
    lower.push(folded);
    letters[index] = lettersOf(folded);
    names[index] = nameOf(folded);
    if (index % chunk !== 0 || performance.now() < until) continue;
    await rest();
    until = performance.now() + sliceMs;
  }
  return { paths, lower, letters, names };
}

export interface Ranking {
  /** The indexes of the best paths, the best first. */
  readonly best: readonly number[];
  /** The indexes of all matching paths. When the person types more, only these can match. */
  readonly matching: Uint32Array;
}

/**
 * Returns the `limit` best paths, and all matching ones. `among` has the indexes that can match; undefined means all. Awaits
 * `rest` between slices. Returns undefined if `stopped` then returns true.
 */
export async function rankPaths(
  table: PathTable,
  typed: string,
  limit: number,
  among: Uint32Array | undefined,
  rest: () => Promise<void>,
  stopped: () => boolean,
): Promise<Ranking | undefined> {
  const wanted = typed.toLowerCase();
  const needed = lettersOf(wanted);
  const best: { readonly index: number; readonly score: number }[] = [];
  const count = among?.length ?? table.paths.length;
  const matching = new Uint32Array(count);
  let found = 0;
  let until = performance.now() + sliceMs;
  for (let at = 0; at < count; at += 1) {
    if (at % chunk === 0 && performance.now() >= until) {
      await rest();
      if (stopped()) return undefined;
      until = performance.now() + sliceMs;
    }
    const index = among === undefined ? at : (among[at] ?? 0);
    if (((table.letters[index] ?? 0) & needed) !== needed) continue;
    const score = scorePath(table.lower[index] ?? "", wanted, table.names[index]);
    if (score === undefined) continue;
    matching[found++] = index;
    if (best.length < limit || score > (best.at(-1)?.score ?? 0)) keepBest(best, { index, score }, limit);
  }
  return { best: best.map((one) => one.index), matching: matching.subarray(0, found) };
}

/** Returns the score of a path, where higher is better; undefined if the path does not contain the letters in order. */
export function scorePath(path: string, wanted: string, nameAt = nameOf(path)): number | undefined {
  if (wanted === "") return -depthOf(path) * 1_000 - path.length;
  const inName = path.indexOf(wanted, nameAt);
  const shortness = -path.length;
  if (inName === nameAt) {
    // An exact name scores highest, then a name that only adds an extension.
    const after = path.charAt(nameAt + wanted.length);
    const whole = after === "" ? 10_000 : after === "." || after === "/" ? 5_000 : 0;
    return 60_000 + whole + shortness;
  }
  if (inName > 0) return 50_000 + (isBoundary(path, inName) ? 5_000 : 0) + shortness;
  const inPath = path.indexOf(wanted);
  if (inPath >= 0) return 40_000 + (isBoundary(path, inPath) ? 5_000 : 0) + shortness;
  const spread = spreadOf(path, wanted, nameAt) ?? spreadOf(path, wanted, 0);
  return spread === undefined ? undefined : 20_000 - spread * 20 + shortness;
}

/**
 * Returns a penalty for the gaps between the letters. Gaps that end at the beginning of a word do not count. Returns
 * undefined if a letter is missing.
 */
function spreadOf(path: string, wanted: string, from: number): number | undefined {
  let at = from;
  let gaps = 0;
  for (let index = 0; index < wanted.length; index += 1) {
    const found = path.indexOf(wanted.charAt(index), at);
    if (found === -1) return undefined;
    if (found !== at && !isBoundary(path, found)) gaps += Math.min(found - at, 20) + 2;
    at = found + 1;
  }
  return gaps + (from === 0 ? 30 : 0);
}

/** Returns the offset of the last name in a path. The path of a folder ends with a slash. */
function nameOf(path: string): number {
  return path.lastIndexOf("/", path.length - 2) + 1;
}

function isBoundary(path: string, at: number): boolean {
  return at === 0 || "/._- ".includes(path.charAt(at - 1));
}

function depthOf(path: string): number {
  let depth = 0;
  for (let at = path.indexOf("/"); at !== -1 && at < path.length - 1; at = path.indexOf("/", at + 1))
    depth += 1;
  return depth;
}

function keepBest(
  best: { readonly index: number; readonly score: number }[],
  one: { readonly index: number; readonly score: number },
  limit: number,
): void {
  let at = best.length;
  while (at > 0 && (best[at - 1]?.score ?? 0) < one.score) at -= 1;
  best.splice(at, 0, one);
  if (best.length > limit) best.pop();
}

/**
 * Returns the bit set of a text: one bit for each letter from a to z, three bits for the digits, one for `.`, and one
 * for `-` and `_`.
 */
function lettersOf(lower: string): number {
  let bits = 0;
  for (let at = 0; at < lower.length; at += 1) {
    const code = lower.charCodeAt(at);
    if (code >= 97 && code <= 122) bits |= 1 << (code - 97);
    else if (code >= 48 && code <= 57) bits |= 1 << (26 + (code % 3));
    else if (code === 46) bits |= 1 << 29;
    else if (code === 45 || code === 95) bits |= 1 << 30;
  }
  return bits >>> 0;
}
