/** Stores a vector for each section of code, and finds the sections whose vectors are most similar to a vector. */
import type { DatabaseSync } from "node:sqlite";
import { type Below, isBelowSql } from "./find-rows.ts";
import { createVectorTable, type VectorTable } from "./vector-table.ts";
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
  /** The model of the last call of `begin`, even if no section has a vector of it yet; undefined if there was no call. */
  readonly model: string | undefined;
  readonly dimension: number | undefined;
  readonly sections: number;
  readonly embedded: number;
}

export interface NearestAsked {
  readonly model: string;
  readonly vector: Uint8Array;
  readonly below: Below;
  readonly most: number;
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
  nearest(asked: NearestAsked): readonly number[];
  status(): VectorStatus;
}

/** The vectors in memory are read again if the removed ones are more than a quarter of those stored, plus this number. */
const maxRemoved = 1_000;

export function openVectors(database: DatabaseSync): Vectors {
  /** All vectors. Undefined until a search needs them. */
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
      if (loaded?.dimension !== size) loaded = undefined;
      const add = database.prepare(
        `INSERT OR REPLACE INTO vectors (section, vector) SELECT sections.id, ? FROM sections
        JOIN files ON files.id = sections.file WHERE sections.id = ? AND files.hash = ?`,
      );
      inTransaction(database, () => {
        note("dimension", String(size));
        for (const { section, hash, bytes } of rows) {
          const { changes } = add.run(bytes, section, hash);
          if (changes > 0) loaded?.table.put(section, signed(bytes));
        }
      });
      const kept = countOf(database, "vectors");
      if (loaded !== undefined && loaded.table.size() > kept + kept / 4 + maxRemoved) loaded = undefined;
      return true;
    },
    nearest({ model, vector, below, most }) {
      if (text("vectors") !== model || dimension() !== vector.length) return [];
      loaded ??= load(database, vector.length);
      const { table } = loaded;
      if (below !== undefined) return table.nearest(signed(vector), most, embeddedBelow(database, below));
      // The table also has vectors of sections that were removed since. They do not count.
      const exists = database.prepare("SELECT 1 FROM vectors WHERE section = ?");
      const removed = table.size() - countOf(database, "vectors");
      return table
        .nearest(signed(vector), most + removed)
        .filter((section) => exists.get(section) !== undefined)
        .slice(0, most);
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
  readonly dimension: number;
  readonly table: VectorTable;
}

function load(database: DatabaseSync, dimension: number): Loaded {
  const table = createVectorTable(dimension, countOf(database, "vectors"));
  for (const { section, vector } of database.prepare("SELECT section, vector FROM vectors").iterate()) {
    if (vector instanceof Uint8Array && vector.length === dimension) {
      table.put(Number(section), signed(vector));
    }
  }
  return { dimension, table };
}

/** Returns the ids of the sections below a path that have a vector. */
function embeddedBelow(database: DatabaseSync, below: string): ReadonlySet<number> {
  const rows = database
    .prepare(
      `SELECT vectors.section FROM vectors JOIN sections ON sections.id = vectors.section
      JOIN files ON files.id = sections.file WHERE ${isBelowSql}`,
    )
    .all({ below });
  return new Set(rows.map((row) => Number(row["section"])));
}

function signed({ buffer, byteOffset, length }: Uint8Array): Int8Array {
  return new Int8Array(buffer, byteOffset, length);
}

function countOf(database: DatabaseSync, table: "sections" | "vectors"): number {
  return Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"] ?? 0);
}
