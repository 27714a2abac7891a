/** Checks that the tables in docs/systems.md name existing test files and titles. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const docs = resolve(import.meta.dirname, "../docs");
const rows = readFileSync(resolve(docs, "systems.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| system"))
  .map((line) => line.split(" | "));

/** Returns the linked files of a table cell, each with the test titles after it. */
function references(cell: string): { file: string; titles: string[] }[] {
  return [...cell.matchAll(/\]\(([^)]+)\)([^[]*)/g)].map(([, link = "", after = ""]) => ({
    file: resolve(docs, link),
    titles: [...after.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? ""),
  }));
}

test("the table of the five systems has rows for each", () => {
  const systems = new Set(rows.map(([system = ""]) => system.replace(/^\| /, "")));
  expect([...systems]).toEqual(["ZodoLlama", "Local Harness", "Grok terminal", "Ralph", "Onyx"]);
  expect(rows.length).toBeGreaterThan(40);
});

test.each(
  rows.map(([system = "", feature = "", cell = ""]) => ({ name: `${system.slice(2)}: ${feature}`, cell })),
)("$name names tests that exist", ({ cell }) => {
  const found = references(cell);
  expect(found).not.toEqual([]);
  for (const { file, titles } of found) {
    expect(existsSync(file), file).toBe(true);
    const source = readFileSync(file, "utf8");
    for (const title of titles) expect(source).toContain(title);
  }
});
