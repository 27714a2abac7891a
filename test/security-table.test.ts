/** Checks that the table in docs/security.md names existing test files and titles. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const docs = resolve(import.meta.dirname, "../docs");
const rows = readFileSync(resolve(docs, "security.md"), "utf8")
  .split("\n")
  .filter((line) =>
    /^\| (?:[RT]\d+|input|store|audit|undo|instructions|hooks|looks|auto|attached files|web) \|/.test(line),
  )
  .map((line) => line.slice(2, -2).split(" | "));

/** Returns the linked files of a table cell, each with the test titles after it. */
function references(cell: string): { file: string; titles: string[] }[] {
  return [...cell.matchAll(/\]\(([^)]+)\)([^[]*)/g)].map(([, link = "", after = ""]) => ({
    file: resolve(docs, link),
    titles: [...after.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? ""),
  }));
}

test("the table of promises has each promise once", () => {
  const numbers = (letter: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
  expect(rows.map(([name]) => name)).toEqual([
    ...numbers("R", 10),
    ...numbers("T", 26),
    "input",
    "store",
    "audit",
    "undo",
    "instructions",
    "hooks",
    "looks",
    "auto",
    "attached files",
    "web",
  ]);
});

test.each(rows.map(([name = "", promise = "", cell = ""]) => ({ name, promise, cell })))(
  "$name names tests that exist, or is marked as later: $promise",
  ({ cell }) => {
    const found = references(cell);
    if (found.length === 0) expect(cell).toMatch(/^later, with /);
    for (const { file, titles } of found) {
      expect(existsSync(file), file).toBe(true);
      expect(titles, file).not.toEqual([]);
      const source = readFileSync(file, "utf8");
      for (const title of titles) expect(source).toContain(title);
    }
  },
);
