/**
 * Recognises the protected names of `protected-table.ts`. A write to such a name needs an answer from the person, even if
 * nothing has that name yet. In the mode `bypass`, a write to a common name does not ask.
 */
import { foldPath, isShortNameOf } from "./fold-name.ts";
import { type ProtectedRow, protectedRows } from "./protected-table.ts";

interface Listed {
  readonly row: ProtectedRow;
  readonly name: string;
  readonly parts: readonly string[];
}

const listed: readonly Listed[] = protectedRows.flatMap((row) =>
  row.names
    .trim()
    .split(/\s+/)
    .map((name) => ({ row, name, parts: name.split("/") })),
);
const single = listed.filter(({ parts }) => parts.length === 1);
const sequences = listed.filter(({ parts }) => parts.length > 1);
const byName = new Map(single.map((one) => [one.name, one]));

/** Returns the names that a sandboxed command must not create in a workspace. `isHome`: the workspace is the home folder. */
export function namesToHold(isHome: boolean): readonly string[] {
  return listed
    .filter(({ row }) => row.common !== true && (isHome || row.place !== "home"))
    .map(({ name }) => name);
}

/** The common names with slashes, which the sandbox closes only if they exist. */
export const commonSequences: readonly string[] = sequences
  .filter(({ row }) => row.common === true)
  .map(({ name }) => name);

/**
 * Returns the protected name in `path`, or undefined. `path` is relative to the workspace or any part of a path. Ignores
 * case, Unicode composition, invisible characters, 8.3 names, and what Windows drops from names.
 */
export function protectedName(path: string): string | undefined {
  return find(path)?.name;
}

/** Returns the row of the table for the protected name in `path`; undefined if there is none. */
export function protectedRow(path: string): ProtectedRow | undefined {
  return find(path)?.row;
}

function find(path: string): Pick<Listed, "name" | "row"> | undefined {
  const components = foldPath(path);
  let common: Pick<Listed, "name" | "row"> | undefined;
  for (const [index, component] of components.entries()) {
    const one = ofComponent(component) ?? sequenceAt(components, index);
    if (one !== undefined && one.row.common !== true) return one;
    common ??= one;
  }
  return common;
}

function ofComponent(component: string): Pick<Listed, "name" | "row"> | undefined {
  const exact = byName.get(component);
  if (exact !== undefined) return exact;
  if (component.includes("~")) return single.find(({ name }) => isShortNameOf(component, name));
  const row = protectedRows.find(({ family }) => family?.test(component) === true);
  return row && { name: component, row };
}

function sequenceAt(components: readonly string[], index: number): Listed | undefined {
  return sequences.find(({ parts }) => parts.every((name, offset) => components[index + offset] === name));
}
