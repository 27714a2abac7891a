/** The one table of formats: what each is called, who writes it, what it looks like, and how it begins. */
import { fenceOpener } from "../frames/fence.ts";
import type { Opener } from "../scan/session.ts";
import type { FormatId, ToolSchema } from "../types.ts";
import type { Format, FormatInfo } from "./format.ts";
import { jsonFormats } from "./json-formats.ts";
import { markerFormats } from "./marker-formats.ts";
import { plainFormats } from "./plain-formats.ts";
import { pythonFormats } from "./python-formats.ts";
import { tagFormats } from "./tag-formats.ts";
import { xmlFormats } from "./xml-formats.ts";

/** Of several formats with one opener the first that can read what follows takes it. */
const table: readonly Format[] = [
  ...jsonFormats,
  ...tagFormats,
  ...markerFormats,
  ...pythonFormats,
  ...xmlFormats,
  ...plainFormats,
];

/** Every format the detector knows. */
export const formats: readonly FormatInfo[] = table;

/** The openers of the chosen formats; fences are always watched, because what they quote is no call. */
export function openersOf(ids: ReadonlySet<FormatId>, tools: readonly ToolSchema[]): Opener[] {
  const openers = table.filter((row) => ids.has(row.id)).flatMap((row) => row.openers(tools));
  return [...withoutTwins(openers), fenceOpener("```"), fenceOpener("~~~")];
}

/** Several plain formats share one reader of objects and one of lists. */
function withoutTwins(openers: readonly Opener[]): Opener[] {
  const seen = new Set<string>();
  return openers.filter((opener) => {
    if (opener.literal !== "{" && opener.literal !== "[") return true;
    const key = `${opener.literal}${opener.format}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

export function allFormatIds(): FormatId[] {
  return table.map((row) => row.id);
}

/** The formats that a model is known to write, most likely first; empty when nothing is known. */
export function formatsForModel(model: string, template?: string): readonly FormatId[] {
  const name = model.toLowerCase().replace(/[^a-z0-9.]/g, "");
  const known = table.filter((row) => row.models.some((family) => name.includes(family)));
  if (known.length > 0) return known.map((row) => row.id);
  return template?.includes("<tool_call>") ? ["hermes"] : [];
}
