/** Defines the tables of the index. */

/**
 * The version of the index. Increase it when you change the tables, the queries of the languages, or how a text is split into
 * words for the search. An index of another version is built again.
 */
export const schemaVersion = 3;

/**
 * The tables. `files.skipped` is the reason why a file is not parsed. The two FTS5 tables store only word lists; the
 * number of a row is the number of its section or symbol.
 */
export const schema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  mtime REAL NOT NULL,
  hash TEXT NOT NULL,
  language TEXT NOT NULL,
  skipped TEXT,
  imports TEXT NOT NULL,
  places TEXT NOT NULL
);
CREATE TABLE symbols (
  id INTEGER PRIMARY KEY,
  file INTEGER NOT NULL,
  name TEXT NOT NULL COLLATE NOCASE,
  kind TEXT NOT NULL,
  container TEXT NOT NULL,
  line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  signature TEXT NOT NULL
);
CREATE INDEX symbols_by_name ON symbols (name);
CREATE INDEX symbols_by_file ON symbols (file, line);
CREATE TABLE sections (
  id INTEGER PRIMARY KEY,
  file INTEGER NOT NULL,
  first_line INTEGER NOT NULL,
  last_line INTEGER NOT NULL
);
CREATE TABLE vectors (section INTEGER PRIMARY KEY, vector BLOB NOT NULL);
CREATE INDEX sections_by_file ON sections (file, first_line);
CREATE VIRTUAL TABLE section_words USING fts5 (
  path, words, content = '', contentless_delete = 1,
  tokenize = "porter unicode61 remove_diacritics 0 tokenchars '_$'"
);
CREATE VIRTUAL TABLE symbol_words USING fts5 (
  name, container, content = '', contentless_delete = 1, columnsize = 1,
  tokenize = "porter unicode61 remove_diacritics 0 tokenchars '_$'"
);
`;
