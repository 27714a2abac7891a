/** Finds the places where a name is used. */
import type { DatabaseSync } from "node:sqlite";
import { readPlaces } from "../parse/places.ts";
import type { Below, ReferenceRow } from "./find-rows.ts";

export interface FoundReferences {
  readonly rows: readonly ReferenceRow[];
  /** False if very many files have the name, so that not all were looked at. */
  readonly complete: boolean;
}

const maxFiles = 500;

interface Candidate {
  readonly path: string;
  readonly hash: string;
  readonly places: string;
}

const candidates = `SELECT path, hash, places FROM files WHERE id IN (
    SELECT sections.file FROM section_words JOIN sections ON sections.id = section_words.rowid
    WHERE section_words MATCH $word)
  AND ($below IS NULL OR path = $below OR substr(path, 1, length($below) + 1) = $below || '/')
  LIMIT ${maxFiles + 1}`;

/** Returns the files with places of the name, sorted by path. The case of letters matters. */
export function findReferences(database: DatabaseSync, name: string, below: Below): FoundReferences {
  const word = name.toLowerCase().replaceAll('"', "");
  if (word === "") return { rows: [], complete: true };
  const asked = { word: `words : "${word}"`, below: below ?? null };
  const found = database.prepare(candidates).all(asked) as unknown as readonly Candidate[];
  const rows = found.slice(0, maxFiles).flatMap(({ path, hash, places: text }) => {
    const places = readPlaces(text, name);
    return places.length === 0 ? [] : [{ path, hash, places }];
  });
  rows.sort((left, right) => (left.path < right.path ? -1 : 1));
  return { rows, complete: found.length <= maxFiles };
}
