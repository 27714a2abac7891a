/** Implements the index on disk, which the store thread offers. Every method takes and returns plain values. */
import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { FileFacts } from "../parse/facts.ts";
import type { FileState } from "../source-files.ts";
import { drawMap } from "./draw-map.ts";
import { findReferences } from "./find-references.ts";
import { findRelated } from "./find-related.ts";
import type { Below } from "./find-rows.ts";
import { findSymbols } from "./find-symbols.ts";
import { openDatabase } from "./open-database.ts";
import { type Similar, searchSections } from "./search-sections.ts";
import { openVectors, type SectionVector, type VectorStatus, type Vectors } from "./vectors.ts";
import { createFileWriter } from "./write-file.ts";

/** A file with its current state on disk. */
export interface ListedFile extends FileState {
  readonly path: string;
}

/** A file that must be read. `hash` is the hash of its text in the index; undefined if there is none. */
export interface ChangedFile {
  readonly path: string;
  readonly hash: string | undefined;
}

/** Why files are missing: the index has its maximum number of `files` or `bytes`, or the `listing` was not complete. */
export type MissingBecause = "files" | "bytes" | "listing";

export interface IndexStatus {
  readonly files: number;
  readonly symbols: number;
  readonly bytes: number;
  readonly languages: Readonly<Record<string, number>>;
  /**
   * Files that are not in the index, each with the reason. At most 20 files are given; `skippedFiles` is their total
   * number.
   */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  readonly skippedFiles: number;
  /** Why the last build left files out although they can be read; undefined if it left none out. */
  readonly missing: MissingBecause | undefined;
  /** The end of the last complete build in Unix milliseconds; undefined if there was none. */
  readonly builtAt: number | undefined;
  readonly vectors: VectorStatus;
}

/** The vector of the words that are searched. */
export interface AskedVector {
  readonly model: string;
  readonly bytes: Uint8Array;
}

export type IndexStore = ReturnType<typeof openStore>;

/** Opens the index. Throws if it cannot be opened. */
export function openStore(path: string, maxBytes: number) {
  const { database, replaced } = openDatabase(path);
  const writer = createFileWriter(database);
  const vectors = openVectors(database);
  const size = database.prepare(
    "SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size",
  );
  const isFull = () => Number(size.get()?.["n"]) > maxBytes;
  let seen: Set<string> | undefined;
  let isWriting = false;
  const begin = () => {
    if (!isWriting) database.exec("INSERT OR REPLACE INTO meta VALUES ('writing', '1')");
    isWriting = true;
  };
  return {
    replaced: () => replaced,
    /** Returns the listed files whose size or time is not the same as in the index. */
    compare: (files: readonly ListedFile[]): readonly ChangedFile[] => {
      for (const { path: listed } of files) seen?.add(listed);
      return changedFiles(database, files);
    },
    /**
     * Writes the facts, which come as JSON in UTF-8. If the index is above its maximum size and has no facts of the file yet,
     * writes nothing and returns false.
     */
    write: (file: string, state: FileState, facts: Uint8Array): boolean => {
      begin();
      if (isFull() && !hasFacts(database, file)) return false;
      writer.write(file, state, JSON.parse(new TextDecoder().decode(facts)) as FileFacts);
      return true;
    },
    skip: (file: string, state: FileState, reason: string): void => {
      begin();
      writer.skip(file, state, reason);
    },
    touch: (file: string, state: FileState): void => writer.touch(file, state),
    remove: (file: string): void => writer.remove(file),
    hashOf: (file: string): string | undefined =>
      database.prepare("SELECT hash FROM files WHERE path = ?").get(file)?.["hash"] as string | undefined,
    beginSweep: (): void => {
      seen = new Set();
    },
    /**
     * Ends a sweep. After a complete sweep, removes the files that no call of `compare` has named. Returns the number of
     * removed files. `missing` is the reason why the sweep left files out.
     */
    endSweep: (complete: boolean, missing: MissingBecause | undefined): number => {
      const gone = complete && seen !== undefined ? pathsWithout(database, seen) : [];
      seen = undefined;
      for (const one of gone) writer.remove(one);
      if (complete) note(database, "built", String(Date.now()));
      if (missing !== undefined) note(database, "missing", missing);
      else if (complete) database.exec("DELETE FROM meta WHERE key = 'missing'");
      return gone.length;
    },
    ...answersOf(database, path, vectors),
    beginVectors: (model: string): void => {
      begin();
      vectors.begin(model);
    },
    withoutVector: (most: number, after: number) => vectors.missing(most, after),
    /** See `Vectors.put`. Writes nothing if the index is above its maximum size. */
    putVectors: (dimension: number, rows: readonly SectionVector[]): "written" | "full" | "removed" => {
      begin();
      if (isFull()) return "full";
      return vectors.put(dimension, rows) ? "written" : "removed";
    },
    vectorStatus: () => vectors.status(),
    close: (): void => {
      if (isWriting) database.exec("DELETE FROM meta WHERE key = 'writing'");
      database.close();
    },
  };
}

/** The methods that only read. */
function answersOf(database: DatabaseSync, path: string, vectors: Vectors) {
  return {
    missing: () => missingBecause(database),
    /** Returns true if a build has come to its end since the index was begun. */
    complete: (): boolean => noted(database, "built") !== undefined || missingBecause(database) !== undefined,
    /** Returns the number of files that are not parsed, such as minified ones. */
    skipped: (): number => skippedFiles(database),
    status: (): IndexStatus => ({ ...readStatus(database, path), vectors: vectors.status() }),
    findSymbols: (name: string, below: Below, most: number) => findSymbols(database, name, below, most),
    findReferences: (name: string, below: Below) => findReferences(database, name, below),
    search: (text: string, below: Below, most: number, asked?: AskedVector) =>
      searchSections(
        database,
        text,
        below,
        most,
        asked === undefined ? undefined : similarTo(vectors, asked, below),
      ),
    map: (maxChars: number): string => drawMap(database, maxChars),
    related: (file: string, most: number) => findRelated(database, file, most),
  };
}

function similarTo(vectors: Vectors, { model, bytes }: AskedVector, below: Below): Similar {
  return (most) => vectors.nearest({ model, vector: bytes, below, most });
}

function changedFiles(database: DatabaseSync, files: readonly ListedFile[]): readonly ChangedFile[] {
  const find = database.prepare("SELECT size, mtime, hash FROM files WHERE path = ?");
  return files.flatMap(({ path, size, mtimeMs }) => {
    const row = find.get(path);
    if (row?.["size"] === size && row["mtime"] === mtimeMs) return [];
    const hash = row?.["hash"];
    return [{ path, hash: typeof hash === "string" && hash !== "" ? hash : undefined }];
  });
}

function pathsWithout(database: DatabaseSync, seen: ReadonlySet<string>): string[] {
  const rows = database.prepare("SELECT path FROM files").all();
  return rows.map((row) => String(row["path"])).filter((path) => !seen.has(path));
}

function note(database: DatabaseSync, key: string, value: string): void {
  database.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)").run(key, value);
}

function noted(database: DatabaseSync, key: string): unknown {
  return database.prepare("SELECT value FROM meta WHERE key = ?").get(key)?.["value"];
}

function missingBecause(database: DatabaseSync): MissingBecause | undefined {
  const value = noted(database, "missing");
  return value === "files" || value === "bytes" || value === "listing" ? value : undefined;
}

function skippedFiles(database: DatabaseSync): number {
  return Number(
    database.prepare("SELECT count(*) AS n FROM files WHERE skipped IS NOT NULL").get()?.["n"] ?? 0,
  );
}

/** Returns false for a file that is not in the index, and for one that was left out. */
function hasFacts(database: DatabaseSync, file: string): boolean {
  return database.prepare("SELECT 1 FROM files WHERE path = ? AND skipped IS NULL").get(file) !== undefined;
}

function readStatus(database: DatabaseSync, path: string): Omit<IndexStatus, "vectors"> {
  const count = (sql: string) => Number(database.prepare(sql).get()?.["n"] ?? 0);
  const languages = database
    .prepare(
      "SELECT language, count(*) AS n FROM files WHERE skipped IS NULL GROUP BY language ORDER BY n DESC",
    )
    .all()
    .map((row) => [String(row["language"]), Number(row["n"])] as const);
  const skipped = database.prepare(
    "SELECT path, skipped AS reason FROM files WHERE skipped IS NOT NULL ORDER BY path LIMIT 20",
  );
  const built = noted(database, "built");
  return {
    files: count("SELECT count(*) AS n FROM files WHERE skipped IS NULL"),
    symbols: count("SELECT count(*) AS n FROM symbols"),
    bytes: statSync(path).size + (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0),
    languages: Object.fromEntries(languages),
    skipped: skipped.all() as unknown as IndexStatus["skipped"],
    skippedFiles: skippedFiles(database),
    missing: missingBecause(database),
    builtAt: built === undefined ? undefined : Number(built),
  };
}
