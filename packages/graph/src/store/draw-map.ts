/**
 * Draws a map of the repository: the definitions that the rest of the code uses most. Files are ranked by PageRank over the names that
 * they use of each other.
 */
import type { DatabaseSync } from "node:sqlite";
import { namesIn } from "../parse/places.ts";

/** A name that more files than this define is not counted, because it is unclear which of the files is meant. */
const maxDefiners = 3;
const maxFiles = 20_000;
const rounds = 20;
/** The share of a file's rank that goes to the files that it uses. */
const damping = 0.85;
const shortestName = 3;

/**
 * Returns lines such as `src/area.ts: areaOf 1, Shape 12`, the best files first, with at most `maxChars` characters. The same index gives
 * the same map. Returns an empty text if no file uses another one.
 */
export function drawMap(database: DatabaseSync, maxChars: number): string {
  const files = readFiles(database);
  const links = linksOf(database, files);
  const ranks = rankFiles(files.length, links);
  const scored = scoreNames(links, ranks);
  return linesOf(database, files, scored, maxChars);
}

interface IndexedFile {
  readonly id: number;
  readonly path: string;
  readonly places: string;
}

/** The use of a name of another file. Files are numbered in the order of their paths. */
interface Link {
  readonly from: number;
  readonly to: number;
  readonly name: string;
  readonly weight: number;
}

function readFiles(database: DatabaseSync): readonly IndexedFile[] {
  const rows = database.prepare(
    `SELECT id, path, places FROM files WHERE skipped IS NULL ORDER BY path LIMIT ${maxFiles}`,
  );
  return rows.all() as unknown as readonly IndexedFile[];
}

function linksOf(database: DatabaseSync, files: readonly IndexedFile[]): readonly Link[] {
  const numbers = new Map(files.map(({ id }, index) => [id, index]));
  const definers = new Map<string, Set<number>>();
  const names = database.prepare("SELECT DISTINCT file, name FROM symbols WHERE kind <> 'field'");
  for (const row of names.all()) {
    const number = numbers.get(Number(row["file"]));
    const name = String(row["name"]);
    if (number === undefined || name.length < shortestName) continue;
    definers.set(name, (definers.get(name) ?? new Set()).add(number));
  }
  return files.flatMap(({ places }, from) =>
    namesIn(places).flatMap(({ name, uses }) => {
      const targets = definers.get(name);
      if (targets === undefined || targets.size > maxDefiners || targets.has(from)) return [];
      const weight = Math.sqrt(uses) / targets.size;
      return [...targets].map((to): Link => ({ from, to, name, weight }));
    }),
  );
}

function rankFiles(count: number, links: readonly Link[]): Float64Array {
  const out = new Float64Array(count);
  for (const { from, weight } of links) out[from] = (out[from] ?? 0) + weight;
  let ranks = new Float64Array(count).fill(1 / Math.max(1, count));
  for (let round = 0; round < rounds; round += 1) {
    const next = new Float64Array(count).fill((1 - damping) / Math.max(1, count));
    for (const { from, to, weight } of links) {
      next[to] = (next[to] ?? 0) + (damping * (ranks[from] ?? 0) * weight) / (out[from] ?? 1);
    }
    ranks = next;
  }
  return ranks;
}

/** Returns the names of each file that other files use, the most important first. */
function scoreNames(
  links: readonly Link[],
  ranks: Float64Array,
): readonly { readonly file: number; readonly name: string }[] {
  const scores = new Map<string, { readonly file: number; readonly name: string; score: number }>();
  for (const { from, to, name, weight } of links) {
    const key = `${to}\0${name}`;
    const one = scores.get(key) ?? { file: to, name, score: 0 };
    one.score += (ranks[from] ?? 0) * weight;
    scores.set(key, one);
  }
  const value = ({ file, score }: { readonly file: number; readonly score: number }) =>
    score * (ranks[file] ?? 0);
  return [...scores.values()].sort(
    (one, other) => value(other) - value(one) || one.file - other.file || (one.name < other.name ? -1 : 1),
  );
}

function linesOf(
  database: DatabaseSync,
  files: readonly IndexedFile[],
  scored: readonly { readonly file: number; readonly name: string }[],
  maxChars: number,
): string {
  const find = database.prepare(
    "SELECT line FROM symbols WHERE file = ? AND name = ? COLLATE BINARY AND kind <> 'field' ORDER BY line LIMIT 1",
  );
  const byFile = new Map<number, string[]>();
  let chars = 0;
  for (const { file, name } of scored) {
    const { id = 0, path = "" } = files[file] ?? {};
    const line = find.get(id, name)?.["line"];
    if (line === undefined || !isPlain(path) || !isPlain(name)) continue;
    const entry = `${name} ${line}`;
    chars += entry.length + 2 + (byFile.has(file) ? 0 : path.length + 2);
    if (chars > maxChars) break;
    byFile.set(file, [...(byFile.get(file) ?? []), entry]);
  }
  return [...byFile].map(([file, entries]) => `${files[file]?.path}: ${entries.join(", ")}`).join("\n");
}

/** Returns true for a name or path without characters that could end the map or control a terminal. */
function isPlain(text: string): boolean {
  return /^[\p{L}\p{N}_$./@ +-]{1,200}$/u.test(text);
}
