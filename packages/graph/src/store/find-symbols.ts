/** Finds definitions by name: exactly, or else by the beginning of the name, or else by the words in the name. */
import type { DatabaseSync } from "node:sqlite";
import { askedNames } from "../parse/asked-names.ts";
import { splitName } from "../parse/split-words.ts";
import { type Below, isBelowSql, type SymbolRow } from "./find-rows.ts";

export interface FoundSymbols {
  /** How the found names match the requested name. */
  readonly by: "name" | "beginning" | "words";
  readonly rows: readonly SymbolRow[];
}

/** The ways in which a name can match, in the order in which they are tried. */
const ways = [
  { by: "name", where: "symbols.name = $value", value: (name: string) => name },
  {
    by: "beginning",
    where: "symbols.name LIKE $value ESCAPE '\\'",
    value: (name: string) => `${name.replace(/[%_\\]/g, "\\$&")}%`,
  },
  {
    by: "words",
    where: "symbols.id IN (SELECT rowid FROM symbol_words WHERE symbol_words MATCH $value)",
    value(name: string) {
      const words = splitName(name).map((word) => `"${word}"`);
      return words.length === 0 ? undefined : `name : (${words.join(" AND ")})`;
    },
  },
] as const;

const select = (
  where: string,
) => `SELECT files.path, files.hash, symbols.name, symbols.kind, symbols.container,
    symbols.line, symbols.end_line AS endLine FROM symbols JOIN files ON files.id = symbols.file
  WHERE ${where} AND ${isBelowSql}
    AND ($container = '' OR substr('.' || symbols.container, -1 - length($container)) = ('.' || $container) COLLATE NOCASE)
  ORDER BY symbols.name = $name COLLATE BINARY DESC, files.path, symbols.line LIMIT $most`;

/**
 * Returns at most `most` definitions. `asked` may have containers before the name, as in `Session.start` or
 * `Session::start`.
 */
export function findSymbols(database: DatabaseSync, asked: string, below: Below, most: number): FoundSymbols {
  const names = askedNames(asked);
  for (const { by, where, value } of ways) {
    for (const { name, container } of names) {
      const wanted = value(name);
      if (wanted === undefined) continue;
      const rows = database
        .prepare(select(where))
        .all({ name, container, value: wanted, below: below ?? null, most }) as unknown as SymbolRow[];
      if (rows.length > 0) return { by, rows };
    }
  }
  return { by: "words", rows: [] };
}
