/** Finds the formats that a model writes, by its name and its chat template. */
import { type FormatId, formatIds, type Row, rows } from "./rows.ts";

/**
 * Returns the formats that a model is known to write, the most likely first: the format whose marks are in its chat template,
 * then those of its name. The list is empty if nothing is known.
 */
export function formatsForModel(model: string, template?: string): readonly FormatId[] {
  const name = foldModel(model);
  const byName = formatIds
    .map((id) => ({ id, length: lengthOfFamily(name, rows[id]) }))
    .filter(({ length }) => length > 0)
    .sort((left, right) => right.length - left.length)
    .map(({ id }) => id);
  const byTemplate = template === undefined ? undefined : formatOfTemplate(template);
  return [...new Set(byTemplate === undefined ? byName : [byTemplate, ...byName])];
}

/** Returns a model's name in lower case without separators, as `Row` has the names of families. */
export function foldModel(model: string): string {
  return model.toLowerCase().replace(/[^a-z0-9.]/g, "");
}

function formatOfTemplate(template: string): FormatId | undefined {
  return formatIds.find((id) => rows[id].marks.some((mark) => template.includes(mark)));
}

/** Returns the length of the longest family name in the row that the model's name contains; 0 for none. */
function lengthOfFamily(name: string, { models }: Row): number {
  return Math.max(0, ...models.filter((family) => name.includes(family)).map((family) => family.length));
}
