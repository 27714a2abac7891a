/** Opens the index file. A file of another version or a damaged file is removed, and a new one is begun. */
import { closeSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { removeIndex } from "./remove-index.ts";
import { schema, schemaVersion } from "./schema.ts";

/** The reason why an earlier index was removed. */
export type Replaced = "damaged" | "version";

export interface OpenedDatabase {
  readonly database: DatabaseSync;
  readonly replaced: Replaced | undefined;
}

const busyMs = 10_000;

/** Opens or creates the index. Throws an error if that is not possible. */
export function openDatabase(path: string): OpenedDatabase {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const first = tryOpen(path);
  if (typeof first !== "string") return { database: first, replaced: undefined };
  removeIndex(path);
  const second = tryOpen(path);
  if (typeof second === "string") throw new Error(`the index ${path} cannot be created (${second})`);
  return { database: second, replaced: first };
}

/** Returns true if an error means that the file is damaged. */
export function isDamage(error: unknown): boolean {
  const code = typeof error === "object" && error !== null && "errcode" in error ? Number(error.errcode) : 0;
  const corrupt = 11;
  const notDatabase = 26;
  return (code & 0xff) === corrupt || (code & 0xff) === notDatabase || /malformed/.test(String(error));
}

function tryOpen(path: string): DatabaseSync | Replaced {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) return "damaged";
  if (stats === undefined) createEmpty(path);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    database.exec(`PRAGMA busy_timeout = ${busyMs}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0`);
    const problem = prepare(database);
    if (problem === undefined) return database;
    database.close();
    return problem;
  } catch (error) {
    database?.close();
    if (isDamage(error)) return "damaged";
    throw error;
  }
}

/**
 * Creates the file with the permissions that SQLite gives to its other files too. A file that is there is never opened here:
 * closing it would drop the locks that other connections of this process have on it (https://sqlite.org/howtocorrupt.html).
 */
function createEmpty(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

/**
 * Creates the tables of a new file, or checks the tables of an old one. Returns the reason why the file must be
 * removed; undefined if it is good.
 */
function prepare(database: DatabaseSync): Replaced | undefined {
  if (isEmpty(database)) createTables(database);
  if (numberOf(database, "PRAGMA user_version") !== schemaVersion) return "version";
  // If the machine crashed while the file was being written, the file may be torn.
  if (numberOf(database, "SELECT count(*) FROM meta WHERE key = 'writing'") === 0) return undefined;
  const found = database.prepare("PRAGMA quick_check(1)").get();
  return Object.values(found ?? {})[0] === "ok" ? undefined : "damaged";
}

function isEmpty(database: DatabaseSync): boolean {
  return numberOf(database, "SELECT count(*) FROM sqlite_schema") === 0;
}

/** Creates the tables, unless another process has created them meanwhile. */
function createTables(database: DatabaseSync): void {
  database.exec("BEGIN IMMEDIATE");
  if (isEmpty(database)) database.exec(`${schema} PRAGMA user_version = ${schemaVersion};`);
  database.exec("COMMIT");
}

function numberOf(database: DatabaseSync, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0] ?? 0);
}
