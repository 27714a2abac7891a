/** Tells from what is known of a model which formats it writes. */
import { type FormatId, rows } from "./rows.ts";

/**
 * The formats that a model is known to write, most likely first: by its chat template, in which the marks of a format stand,
 * and by its name. Empty when nothing is known.
 */
export function formatsForModel(model: string, template?: string): readonly FormatId[] {
  const name = model.toLowerCase().replace(/[^a-z0-9.]/g, "");
  const byName = rows
    .map((row) => ({ id: row.id, length: longest(row.models.filter((family) => name.includes(family))) }))
    .filter((row) => row.length > 0)
    .sort((left, right) => right.length - left.length)
    .map((row) => row.id);
  const byTemplate = template === undefined ? undefined : formatOfTemplate(template)?.id;
  return [...new Set(byTemplate === undefined ? byName : [byTemplate, ...byName])];
}

function formatOfTemplate(template: string): (typeof rows)[number] | undefined {
  return rows.find((row) => row.templateMarks.some((mark) => template.includes(mark)));
}

function longest(names: readonly string[]): number {
  return Math.max(0, ...names.map((name) => name.length));
}
