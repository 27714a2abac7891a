/** Finds the places where a name is used. */
import type { DatabaseSync } from "node:sqlite";
import { askedNames } from "../parse/asked-names.ts";
import { readPlaces } from "../parse/places.ts";
import { isWholeWord } from "../parse/split-words.ts";
import { type Below, isBelowSql, type ReferenceRow } from "./find-rows.ts";

export interface FoundReferences {
  /** The name that was found, which may be without the containers that were asked. */
  readonly name: string;
  readonly rows: readonly ReferenceRow[];
  /** False if very many files have the name, so that not all were looked at. */
  readonly complete: boolean;
}

const maxFiles = 500;

interface Found {
  readonly path: string;
  readonly hash: string;
  readonly places: string;
}

/** Selects files that use exactly this name, so that the limit counts no file with only a similar name, such as `Name`. */
const select = (where: string) => `SELECT path, hash, places FROM files
  WHERE ${where} instr(places, char(10) || $name || char(9)) > 0 AND ${isBelowSql} LIMIT ${maxFiles + 1}`;
/** Finds the files by their words, which is quick. */
const byWord =
  select(`files.id IN (SELECT sections.file FROM section_words JOIN sections ON sections.id = section_words.rowid
    WHERE section_words MATCH $word) AND`);
/** Searches all files, for a name that is not a word of the search, such as `my-function`, `save!` or `x`. */
const byName = select("");

/** Returns the files with places of the name, sorted by path. The case of letters matters. */
export function findReferences(database: DatabaseSync, asked: string, below: Below): FoundReferences {
  const names = askedNames(asked).map(({ name }) => name);
  for (const name of names) {
    const found = findName(database, name, below);
    if (found.rows.length > 0) return found;
  }
  return { name: names[0] ?? asked, rows: [], complete: true };
}

function findName(database: DatabaseSync, name: string, below: Below): FoundReferences {
  const asked = { name, below: below ?? null };
  const found = (isWholeWord(name)
    ? database.prepare(byWord).all({ ...asked, word: `words : "${name.toLowerCase()}"` })
    : database.prepare(byName).all(asked)) as unknown as readonly Found[];
  const rows = found
    .slice(0, maxFiles)
    .map(({ path, hash, places }) => ({ path, hash, places: readPlaces(places, name) }));
  rows.sort((left, right) => (left.path < right.path ? -1 : 1));
  return { name, rows, complete: found.length <= maxFiles };
}
