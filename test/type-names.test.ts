/**
 * Checks that a type name means one thing: two packages do not export the same name, and the names that would fit anywhere
 * are declared once, exported or not.
 */
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { expect, test } from "vitest";
import { root } from "./run-program.ts";

/** JSON itself: neither `schema` nor `protocol` imports another package, and both read and write it. */
const json = ["JsonObject", "JsonValue"];

test("no two packages export a type of the same name", () => {
  expect(doubled(sources())).toEqual(json);
});

test.each<[string, [string, string][], string[]]>([
  [
    "an interface and a type",
    [
      ["a", "export interface Place {}"],
      ["b", "export type Place = 1;"],
    ],
    ["Place"],
  ],
  [
    "a class and a type",
    [
      ["a", "export class Place {}"],
      ["b", "export type Place<T> = T;"],
    ],
    ["Place"],
  ],
  [
    "a name given in a list",
    [
      ["a", "interface X {}\nexport { type X as Place };"],
      ["b", "export type Place = 1;"],
    ],
    ["Place"],
  ],
  [
    "a list of several lines",
    [
      ["a", "export type {\n  One,\n  X as Place,\n} from './x.ts';"],
      ["b", "export type Place = 1;"],
    ],
    ["Place"],
  ],
  [
    "one package",
    [
      ["a", "export type Place = 1;"],
      ["a", "export type Place = 2;"],
    ],
    [],
  ],
  [
    "a type that its file keeps",
    [
      ["a", "export type Place = 1;"],
      ["b", "interface Place {}"],
    ],
    [],
  ],
  [
    "a type of another package, passed on",
    [
      ["a", "export type Place = 1;"],
      ["b", "export type { Place } from 'a';"],
    ],
    [],
  ],
])("finds the names of two packages: %s", (_, files, names) => {
  expect(doubled(files)).toEqual(names);
});

/** Words of which each part of the program could say that it has one. */
const single = ["Answer", "Room", "Session", "Place", "Draft", "Step", "Asked"];

test.each(single)("at most one source declares %s", (name) => {
  const texts = sources().map(([, text]) => text);
  expect(texts.flatMap((text) => declaredTypes(text).filter((type) => type === name)).length).toBeLessThan(2);
});

test.each<[string, string, string[]]>([
  ["an interface", "export interface Place {}", ["Place"]],
  ["a generic type that its file keeps", "type Place<T> =\n  | T;", ["Place"]],
  ["a class inside of a function", "  abstract class Place extends Step {}", ["Place"]],
  ["a new name for a type", "export { type X as Place } from './x.ts';", ["Place"]],
  [
    "no type that is imported",
    "import {\n  type Place,\n} from './x.ts';\nimport type { Step } from 'a';",
    [],
  ],
])("finds what is declared: %s", (_, source, names) => {
  expect(declaredTypes(source)).toEqual(names);
});

/** Returns the package and the text of each source. */
function sources(): [string, string][] {
  const paths = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: root });
  return paths.map((path) => [path.split(sep)[1] ?? "", readFileSync(join(root, path), "utf8")]);
}

function doubled(files: readonly (readonly [string, string])[]): string[] {
  const packagesOf = new Map<string, Set<string>>();
  for (const [name, text] of files) {
    for (const type of exportedTypes(text))
      packagesOf.set(type, (packagesOf.get(type) ?? new Set()).add(name));
  }
  return [...packagesOf].flatMap(([type, packages]) => (packages.size > 1 ? [type] : [])).sort();
}

/** Returns the types that the source declares and exports, and the new names under which it passes types on. */
function exportedTypes(source: string): string[] {
  const declared = source.matchAll(/^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm);
  return [...[...declared].map(([, name = ""]) => name), ...renamedTypes(source)];
}

/** Returns the types that the source declares, exported or not, and the new names under which it passes types on. */
function declaredTypes(source: string): string[] {
  const declared = source.matchAll(
    /^\s*(?:export )?(?:declare )?(?:abstract )?(?:(?:interface|class) (\w+)|type (\w+)\s*[<=])/gm,
  );
  return [...[...declared].map(([, name, alias = ""]) => name ?? alias), ...renamedTypes(source)];
}

function renamedTypes(source: string): string[] {
  const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].map(([, list = ""]) => list);
  return lists.flatMap((list) => [...list.matchAll(/\b\w+ as ([A-Z]\w*)/g)].map(([, name = ""]) => name));
}
