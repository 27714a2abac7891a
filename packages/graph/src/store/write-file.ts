/**
 * Writes what parsing found in one file, in one transaction. If the process is killed, the index has either the old or
 * the new facts of the file.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { FileFacts } from "../parse/facts.ts";
import { splitName, splitWords } from "../parse/split-words.ts";
import type { FileState } from "../source-files.ts";

export interface FileWriter {
  write(path: string, state: FileState, facts: FileFacts): void;
  /** Notes that a file is not in the index, and the reason. */
  skip(path: string, state: FileState, reason: string): void;
  /** Notes the new time of a file whose text is the same. */
  touch(path: string, state: FileState): void;
  remove(path: string): void;
}

export function createFileWriter(database: DatabaseSync): FileWriter {
  const run = statements(database);
  const removeRows = (path: string) => {
    const file = run.find.get(path)?.["id"];
    if (file === undefined) return;
    run.unwordSections.run(file);
    run.unwordSymbols.run(file);
    run.removeVectors.run(file);
    run.removeSections.run(file);
    run.removeSymbols.run(file);
    run.removeFile.run(file);
  };
  const addRows = (path: string, state: FileState, facts: FileFacts) => {
    const imports = facts.imports.join("\n");
    const row = [path, state.size, state.mtimeMs, facts.hash, facts.language, null, imports, facts.places];
    const file = run.addFile.run(...row).lastInsertRowid;
    const pathWords = splitWords(path).join(" ");
    for (const { firstLine, lastLine, words } of facts.sections) {
      const section = run.addSection.run(file, firstLine, lastLine).lastInsertRowid;
      run.addWords.run(section, pathWords, words);
    }
    for (const { name, kind, container, line, endLine, signature } of facts.symbols) {
      const symbol = run.addSymbol.run(file, name, kind, container, line, endLine, signature).lastInsertRowid;
      run.addNames.run(symbol, [name, ...splitName(name)].join(" "), splitWords(container).join(" "));
    }
  };
  return {
    write: (path, state, facts) =>
      inTransaction(database, () => {
        removeRows(path);
        addRows(path, state, facts);
      }),
    skip: (path, { size, mtimeMs }, reason) =>
      inTransaction(database, () => {
        removeRows(path);
        run.addFile.run(path, size, mtimeMs, "", "", reason, "", "");
      }),
    touch: (path, { size, mtimeMs }) => void run.touch.run(size, mtimeMs, path),
    remove: (path) => inTransaction(database, () => removeRows(path)),
  };
}

/** Runs the work in a transaction that is rolled back if it throws. */
export function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    work();
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

function statements(database: DatabaseSync): Record<StatementName, StatementSync> {
  const prepared = Object.entries(sql).map(([name, text]) => [name, database.prepare(text)]);
  return Object.fromEntries(prepared) as Record<StatementName, StatementSync>;
}

type StatementName = keyof typeof sql;

const sql = {
  find: "SELECT id FROM files WHERE path = ?",
  unwordSections: "DELETE FROM section_words WHERE rowid IN (SELECT id FROM sections WHERE file = ?)",
  unwordSymbols: "DELETE FROM symbol_words WHERE rowid IN (SELECT id FROM symbols WHERE file = ?)",
  removeVectors: "DELETE FROM vectors WHERE section IN (SELECT id FROM sections WHERE file = ?)",
  removeSections: "DELETE FROM sections WHERE file = ?",
  removeSymbols: "DELETE FROM symbols WHERE file = ?",
  removeFile: "DELETE FROM files WHERE id = ?",
  addFile:
    "INSERT INTO files (path, size, mtime, hash, language, skipped, imports, places) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  addSection: "INSERT INTO sections (file, first_line, last_line) VALUES (?, ?, ?)",
  addWords: "INSERT INTO section_words (rowid, path, words) VALUES (?, ?, ?)",
  addSymbol:
    "INSERT INTO symbols (file, name, kind, container, line, end_line, signature) VALUES (?, ?, ?, ?, ?, ?, ?)",
  addNames: "INSERT INTO symbol_words (rowid, name, container) VALUES (?, ?, ?)",
  touch: "UPDATE files SET size = ?, mtime = ? WHERE path = ?",
} as const;
