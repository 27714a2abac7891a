/** Joins the rows of formats with their code. A new format needs a file, a row in `rows.ts` and a line in `definitions.ts`. */
import { fenceOpener } from "../frames/fence.ts";
import type { Opener } from "../scan/scan.ts";
import type { CallFormat, FormatId, ToolSchema } from "../types.ts";
import * as code from "./definitions.ts";
import type { Format, FormatInfo, TableRow } from "./format.ts";
import { formatIds, rows } from "./rows.ts";

const definitions: { readonly [id in FormatId]: Format } = code;

export const table: readonly TableRow[] = formatIds.map((id) => ({
  id,
  ...rows[id],
  ...definitions[id],
  get example() {
    return definitions[id].write([{ name: "read_file", arguments: { path: "a.txt" } }]);
  },
}));

export const formats: readonly FormatInfo[] = table;

/** Returns the definition of a format; undefined for a custom one. */
export function formatOf(id: CallFormat): Format | undefined {
  return isKnown(id) ? definitions[id] : undefined;
}

function isKnown(id: CallFormat): id is FormatId {
  return Object.hasOwn(definitions, id);
}

/** Returns the openers of the chosen formats, and always those of fences, because fences quote calls. */
export function openersOf(ids: ReadonlySet<FormatId>, tools: readonly ToolSchema[]): Opener[] {
  const beside = table.filter((row) => ids.has(row.id)).map((row) => row.alsoReads);
  const chosen = table.filter((row) => ids.has(row.id) || beside.includes(row.id));
  const openers = chosen.flatMap((row) => row.openers(tools, row.id));
  return [...withoutTwins(openers), fenceOpener("```"), fenceOpener("~~~")];
}

/** Removes repeated openers, because several formats read objects, lists and headers of messages with the same opener. */
function withoutTwins(openers: readonly Opener[]): Opener[] {
  const seen = new Set<string>();
  return openers.filter((opener) => {
    if (opener.literal !== "{" && opener.literal !== "[" && opener.kind !== "thought") return true;
    const key = `${opener.literal}${opener.format}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
