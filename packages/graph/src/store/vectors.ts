/** Stores a vector for each section of code, and finds the sections whose vectors are most similar to a vector. */
import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "./write-file.ts";

/** A section that has no vector yet. `hash` is the hash of its file's text. */
export interface UnembeddedSection {
  readonly section: number;
  readonly path: string;
  readonly hash: string;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** The vector of a section, as `toBytes` returns it. */
export interface SectionVector {
  readonly section: number;
  readonly hash: string;
  readonly bytes: Uint8Array;
}

export interface VectorStatus {
  /** The model of the vectors; undefined if there are none. */
  readonly model: string | undefined;
  readonly dimension: number | undefined;
  readonly sections: number;
  readonly embedded: number;
}

export interface Vectors {
  /** Makes the index ready for vectors of a model. Removes the vectors of any other model. */
  begin(model: string): void;
  missing(most: number, after: number): readonly UnembeddedSection[];
  /**
   * Writes vectors of one dimension. Leaves out sections whose file has changed meanwhile. Returns false, and removes
   * all vectors, if the stored vectors have another dimension.
   */
  put(dimension: number, rows: readonly SectionVector[]): boolean;
  /** Returns the ids of the sections with the most similar vectors, the best first; none for a vector of another dimension or model. */
  nearest(model: string, vector: Uint8Array, most: number): readonly number[];
  status(): VectorStatus;
}

export function openVectors(database: DatabaseSync): Vectors {
  /** All vectors one after the other, and their sections. Undefined until a search needs them, and after each write. */
  let loaded: Loaded | undefined;
  const text = (key: string) =>
    database.prepare("SELECT value FROM meta WHERE key = ?").get(key)?.["value"] as string | undefined;
  const note = (key: string, value: string) =>
    database.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)").run(key, value);
  const removeAll = () => {
    loaded = undefined;
    database.exec("DELETE FROM vectors; DELETE FROM meta WHERE key = 'dimension'");
  };
  const dimension = () => {
    const value = text("dimension");
    return value === undefined ? undefined : Number(value);
  };
  return {
    begin(model) {
      if (text("vectors") === model) return;
      inTransaction(database, () => {
        removeAll();
        note("vectors", model);
      });
    },
    missing: (most, after) =>
      database
        .prepare(
          `SELECT sections.id AS section, files.path, files.hash, first_line AS firstLine, last_line AS lastLine
          FROM sections JOIN files ON files.id = sections.file
          WHERE sections.id > ? AND sections.id NOT IN (SELECT section FROM vectors) ORDER BY sections.id LIMIT ?`,
        )
        .all(after, most) as unknown as readonly UnembeddedSection[],
    put(size, rows) {
      const before = dimension();
      if (before !== undefined && before !== size) {
        inTransaction(database, removeAll);
        return false;
      }
      loaded = undefined;
      const add = database.prepare(
        `INSERT OR REPLACE INTO vectors (section, vector) SELECT sections.id, ? FROM sections
        JOIN files ON files.id = sections.file WHERE sections.id = ? AND files.hash = ?`,
      );
      inTransaction(database, () => {
        note("dimension", String(size));
        for (const { section, hash, bytes } of rows) add.run(bytes, section, hash);
      });
      return true;
    },
    nearest(model, vector, most) {
      if (text("vectors") !== model || dimension() !== vector.length) return [];
      loaded ??= load(database, vector.length);
      return nearestIn(loaded, vector, most);
    },
    status: () => ({
      model: text("vectors"),
      dimension: dimension(),
      sections: countOf(database, "sections"),
      embedded: countOf(database, "vectors"),
    }),
  };
}

/**
 * Returns the direction of a vector with one signed byte for each part, a quarter of the space of the vector. The dot
 * product orders such vectors nearly as the cosine orders the given vectors.
 */
export function toBytes(vector: readonly number[]): Uint8Array {
  const length = Math.hypot(...vector);
  const scale = length > 0 ? 127 / length : 0;
  return new Uint8Array(Int8Array.from(vector, (part) => Math.round(part * scale)).buffer);
}

interface Loaded {
  readonly sections: readonly number[];
  readonly parts: Int8Array;
}

function load(database: DatabaseSync, dimension: number): Loaded {
  const rows = database.prepare("SELECT section, vector FROM vectors").all();
  const usable = rows.filter(
    (row) => row["vector"] instanceof Uint8Array && row["vector"].length === dimension,
  );
  const parts = new Int8Array(usable.length * dimension);
  for (const [index, row] of usable.entries()) {
    const bytes = row["vector"] as Uint8Array;
    parts.set(new Int8Array(bytes.buffer, bytes.byteOffset, dimension), index * dimension);
  }
  return { sections: usable.map((row) => Number(row["section"])), parts };
}

function nearestIn({ sections, parts }: Loaded, vector: Uint8Array, most: number): readonly number[] {
  const asked = new Int8Array(vector.buffer, vector.byteOffset, vector.length);
  const found: { readonly section: number; readonly score: number }[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (const [index, section] of sections.entries()) {
    const start = index * asked.length;
    let score = 0;
    for (let part = 0; part < asked.length; part += 1)
      score += (asked[part] ?? 0) * (parts[start + part] ?? 0);
    if (score <= 0 || (found.length >= most && score <= least)) continue;
    found.push({ section, score });
    if (found.length < most * 2) continue;
    cut(found, most);
    least = found.at(-1)?.score ?? least;
  }
  cut(found, most);
  return found.map(({ section }) => section);
}

function cut(found: { readonly section: number; readonly score: number }[], most: number): void {
  found.sort((left, right) => right.score - left.score || left.section - right.section).splice(most);
}

function countOf(database: DatabaseSync, table: "sections" | "vectors"): number {
  return Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"] ?? 0);
}
