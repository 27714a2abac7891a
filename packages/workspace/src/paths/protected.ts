/**
 * Recognises the protected names of `protected-table.ts`. A write to such a name needs an answer from the person, even if
 * nothing has that name yet. In the mode `bypass`, a write to a common name does not ask.
 */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { pathInside } from "./door.ts";
import { foldPath, isShortNameOf } from "./fold-name.ts";
import { namesFromHome } from "./home-links.ts";
import { programFolder } from "./program-folder.ts";
import { isAboutAgents, type ProtectedRow, programRow, protectedRows } from "./protected-table.ts";
import { realAsFar } from "./real-as-far.ts";

interface Listed {
  readonly row: ProtectedRow;
  readonly name: string;
  readonly parts: readonly string[];
}

/** A protected name in a path, and the index of the component after it. */
interface Match extends Pick<Listed, "name" | "row"> {
  readonly end: number;
}

const listed: readonly Listed[] = protectedRows.flatMap((row) =>
  (row.names.match(/\S+/g) ?? []).map((name) => ({ row, name, parts: name.split("/") })),
);
const anywhere = listed.filter(({ row }) => row.place !== "absolute");
const anchored = listed.filter(({ row }) => row.place === "absolute");
const single = anywhere
  .filter(({ parts }) => parts.length === 1)
  .sort((one, other) => Number(one.row.common === true) - Number(other.row.common === true));
const sequences = Map.groupBy(
  anywhere.filter(({ parts }) => parts.length > 1),
  ({ parts }) => parts[0] ?? "",
);
const byName = new Map(single.map((one) => [one.name, one]));
const families = protectedRows.flatMap((row) =>
  row.family === undefined ? [] : [{ row, family: row.family }],
);
const places = protectedRows.flatMap((row) => (row.places === undefined ? [] : [{ row, place: row.places }]));

/**
 * Returns the names that a sandboxed command must not create, relative to the workspace: the names that count in any folder, and
 * those of the home folder if the workspace holds it or is a part of it.
 */
export function namesToHold(workspace: string): readonly string[] {
  const homes = spellings(homedir());
  return anywhere.flatMap(({ row, name }) => {
    if (row.common === true) return [];
    if (row.place !== "home") return [name];
    return [...new Set(homes.flatMap((home) => pathInside(workspace, join(home, name)) || []))];
  });
}

/** Returns a folder as it is named and, if a link is in the name, as it is without links. */
function spellings(folder: string): readonly string[] {
  return folder === "" ? [] : [...new Set([folder, realAsFar(folder)])];
}

/** The common names with slashes, which the sandbox closes only if they exist. */
export const commonSequences: readonly string[] = [...sequences.values()]
  .flat()
  .filter(({ row }) => row.common === true && row.source !== true)
  .map(({ name }) => name);

/**
 * Returns the protected name in `path`, or undefined. `path` is absolute, relative to the folder `root`, or any part of a path.
 * With `root`, an absolute path, the components of both count. Ignores case, Unicode composition, invisible characters, 8.3
 * names, and what Windows drops from names.
 */
export function protectedName(path: string, root = ""): string | undefined {
  return find(path, root)?.name;
}

/** Returns the row of the table for the protected name in `path`, as `protectedName` finds it; undefined if there is none. */
export function protectedRow(path: string, root = ""): ProtectedRow | undefined {
  return find(path, root)?.row;
}

/** Returns the protected name as `protectedName` does, but undefined for what counts as a source of the project. */
export function closedName(path: string, root = ""): string | undefined {
  return find(path, root, (row) => row.source !== true)?.name;
}

type IsMeant = (row: ProtectedRow) => boolean;

/** Finds the strictest name among the rows that `isMeant` accepts, and the first of several common ones. */
function find(path: string, root: string, isMeant: IsMeant = () => true): Match | undefined {
  const above = root === "" || isAbsolute(path) ? [] : foldPath(root);
  const components = [...above, ...foldPath(path)];
  if (root === "" && !isAbsolute(path)) return findIn(components, 0, isMeant);
  const [own, ...byLinks] = namesFromHome(components);
  const matches = [
    findIn(own ?? [], above.length, isMeant, placeOf(components)),
    ...byLinks.map((names) => findIn(names, 0, isMeant, placeOf(names))),
  ].filter((one) => one !== undefined);
  return matches.find(({ row }) => row.common !== true) ?? matches[0];
}

/** Finds the name in components of which the first `top` are those of the workspace. `place` is the name of an absolute place. */
function findIn(
  components: readonly string[],
  top: number,
  isMeant: IsMeant,
  place?: Match,
): Match | undefined {
  let common = place;
  for (const index of components.keys()) {
    const one = matchAt(components, index);
    const counts =
      one !== undefined && isMeant(one.row) && (one.end > top || countsAbove(one, components, top));
    if (counts && one.row.common !== true) return one;
    if (counts) common ??= one;
  }
  return common;
}

/** Returns the name in an absolute path that counts only from the root of the file system or from the home folder on. */
function placeOf(components: readonly string[]): Match | undefined {
  const program = programParts();
  if (program.length > 0 && continues(components, 0, program)) {
    return { name: "this program's folder", row: programRow, end: program.length };
  }
  const found = absolutePlaces().find(({ parts }) => continues(components, 0, parts));
  return found && { name: found.name, row: found.row, end: found.parts.length };
}

let foldedPlaces: { readonly of: string; readonly places: readonly Listed[] } | undefined;

/** Returns the anchored names with the folded components of their whole paths, by the present home folder. */
function absolutePlaces(): readonly Listed[] {
  const settings = process.env["XDG_CONFIG_HOME"] ?? "";
  const of = `${homedir()}\0${settings}`;
  if (foldedPlaces?.of === of) return foldedPlaces.places;
  const homes = spellings(homedir()).map((home) => foldPath(home));
  const moved = spellings(settings).map((folder) => foldPath(folder));
  const places = anchored.flatMap((one) => {
    const wholes =
      one.parts[0] === "~" ? homes.map((home) => [...home, ...one.parts.slice(1)]) : [foldPath(one.name)];
    return [...wholes, ...(one.name === "~/.config" ? moved : [])].map((parts) => ({ ...one, parts }));
  });
  foldedPlaces = { of, places };
  return places;
}

let ownParts: readonly string[] | undefined;

/** Returns the folded components of the folder of the running program, which stays the same while it runs. */
function programParts(): readonly string[] {
  ownParts ??= foldPath(programFolder() ?? "");
  return ownParts;
}

/** Returns true if a name counts for every file of a workspace inside it, as `.ssh` does for a workspace `~/.ssh/keys`. */
function countsAbove({ row, end }: Match, components: readonly string[], top: number): boolean {
  const isCheckout = isAboutAgents(row) && components.slice(end, top - 1).includes("worktrees");
  return row.common !== true && !isCheckout;
}

function matchAt(components: readonly string[], index: number): Match | undefined {
  const component = components[index] ?? "";
  const exact = byName.get(component) ?? shortNameAt(component);
  if (exact !== undefined) return { ...exact, end: index + 1 };
  const sequence = sequences.get(component)?.find(({ parts }) => continues(components, index, parts));
  if (sequence !== undefined) return { ...sequence, end: index + sequence.parts.length };
  const one = component.includes("~") ? undefined : families.find(({ family }) => family.test(component));
  if (one !== undefined) return { name: component, row: one.row, end: index + 1 };
  if (!component.startsWith(".") && !component.endsWith("-packages")) return undefined;
  const rest = components.slice(index).join("/");
  const [name, row] =
    places.map(({ place, row }) => [place.exec(rest)?.[0], row] as const).find(([text]) => text) ?? [];
  return name === undefined || row === undefined
    ? undefined
    : { name: name.replace(/\/$/, ""), row, end: index + foldPath(name).length };
}

function shortNameAt(component: string): Listed | undefined {
  return component.includes("~") ? single.find(({ name }) => isShortNameOf(component, name)) : undefined;
}

/** Returns true if `components` has the whole sequence from `at` on. */
export function continues(components: readonly string[], at: number, sequence: readonly string[]): boolean {
  return sequence.every((part, index) => components[at + index] === part);
}
