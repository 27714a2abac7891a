/** Finds definitions by name: exactly, or else by the beginning of the name, or else by the words in the name. */
import type { DatabaseSync } from "node:sqlite";
import { splitName } from "../parse/split-words.ts";
import { type Below, isBelow, type SymbolRow } from "./find-rows.ts";

export interface FoundSymbols {
  /** How the found names match the requested name. */
  readonly by: "name" | "beginning" | "words";
  readonly rows: readonly SymbolRow[];
}

const columns = `files.path, files.hash, symbols.name, symbols.kind, symbols.container, symbols.line,
  symbols.end_line AS endLine FROM symbols JOIN files ON files.id = symbols.file`;
const order = "ORDER BY symbols.name = $name COLLATE BINARY DESC, files.path, symbols.line LIMIT 1000";

/**
 * Returns at most `most` definitions. `asked` may have containers before the name, as in `Session.start` or
 * `Session::start`.
 */
export function findSymbols(database: DatabaseSync, asked: string, below: Below, most: number): FoundSymbols {
  const { name, container } = splitQualified(asked);
  const fits = (row: SymbolRow) =>
    isBelow(row.path, below) &&
    (container === "" || `.${row.container.toLowerCase()}`.endsWith(`.${container}`));
  const select = (where: string, value: string) =>
    (
      database
        .prepare(`SELECT ${columns} WHERE ${where} ${order}`)
        .all({ name, value }) as unknown as SymbolRow[]
    )
      .filter(fits)
      .slice(0, most);
  const exact = select("symbols.name = $value", name);
  if (exact.length > 0) return { by: "name", rows: exact };
  const beginning = select("symbols.name LIKE $value ESCAPE '\\'", `${name.replace(/[%_\\]/g, "\\$&")}%`);
  if (beginning.length > 0) return { by: "beginning", rows: beginning };
  const words = splitName(name).map((word) => `"${word}"`);
  if (words.length === 0) return { by: "words", rows: [] };
  const matching = "symbols.id IN (SELECT rowid FROM symbol_words WHERE symbol_words MATCH $value)";
  return { by: "words", rows: select(matching, `name : (${words.join(" AND ")})`) };
}

/** Splits `a.b`, `a::b`, `a#b` or `a->b` into the containers and the name. */
function splitQualified(asked: string): { readonly name: string; readonly container: string } {
  const parts = asked
    .trim()
    .replace(/\(.*$/, "")
    .split(/\.|::|#|->|\\/)
    .filter((part) => part !== "");
  return { name: parts.at(-1) ?? "", container: parts.slice(0, -1).join(".").toLowerCase() };
}
