/** Finds the definitions in other files that a file uses. */
import type { DatabaseSync } from "node:sqlite";
import { namesIn } from "../parse/places.ts";
import type { SymbolRow } from "./find-rows.ts";

/** The maximum number of names that are looked up. More would take too long for a line about related definitions. */
const maxNames = 5_000;
const shortestName = 4;

/**
 * Returns at most `most` definitions, the most used first. A name with several definitions is left out, because it may
 * mean any of them.
 */
export function findRelated(database: DatabaseSync, path: string, most: number): readonly SymbolRow[] {
  const places = database.prepare("SELECT places FROM files WHERE path = ?").get(path)?.["places"];
  if (typeof places !== "string") return [];
  const find =
    database.prepare(`SELECT files.path, files.hash, name, kind, container, line, end_line AS endLine
    FROM symbols JOIN files ON files.id = symbols.file WHERE name = ? COLLATE BINARY AND kind <> 'field' LIMIT 2`);
  const names = namesIn(places)
    .filter(({ name }) => name.length >= shortestName)
    .toSorted((left, right) => right.uses - left.uses)
    .slice(0, maxNames);
  const found: SymbolRow[] = [];
  for (const { name } of names) {
    const rows = find.all(name) as unknown as SymbolRow[];
    const [only] = rows;
    if (only === undefined || rows.length > 1 || only.path === path) continue;
    found.push(only);
    if (found.length === most) break;
  }
  return found;
}
