/** Checks the documents that a new contributor reads first: short lines, every package, and no path that is gone. */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./run-program.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Longer lines cannot be read in a diff, and a search shows too much of them. */
const maxChars = 300;

test.each([
  "AGENTS.md",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "docs/security.md",
])("no line of %s is longer than 300 characters", (path) => {
  const long = read(path)
    .split("\n")
    .flatMap((line, index) => (line.length > maxChars ? [`${index + 1}: ${line.slice(0, 60)}`] : []));
  expect(long).toEqual([]);
});

test.each<[string, (name: string) => string]>([
  ["AGENTS.md", (name) => `      ${name}/ `],
  ["ARCHITECTURE.md", (name) => `| \`${name}\` |`],
])("%s names every package", (path, mark) => {
  const text = read(path);
  expect(readdirSync(join(root, "packages")).filter((name) => !text.includes(mark(name)))).toEqual([]);
});

/** A path of a source as documents write it, from the folder `packages`. Recipes have NAME in place of a name. */
const sourcePath = /`([a-z]+\/src\/[\w.\-/]+)`/g;

test("the documents name no source that is gone", () => {
  const documents = [...globSync("*.md", { cwd: root }), ...globSync("docs/*.md", { cwd: root })];
  const named = documents.flatMap((document) =>
    [...read(document).matchAll(sourcePath)].map(([, path = ""]) => ({ document, path })),
  );
  expect(named.length).toBeGreaterThan(50);
  const isThere = (path: string) => existsSync(join(root, "packages", path)) || path.includes("NAME");
  expect(named.filter(({ path }) => !isThere(path))).toEqual([]);
});
