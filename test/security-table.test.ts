/** Checks that the promises in docs/security.md name existing test files and titles. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const docs = resolve(import.meta.dirname, "../docs");
const [, promises = ""] = readFileSync(resolve(docs, "security.md"), "utf8").split(/^## Promises.*$/m);
const [part = ""] = promises.split(/^## /m);
const rows = part
  .split(/^### /m)
  .slice(1)
  .map((entry) => /^([^:]+): (.+)\n([\s\S]+)$/.exec(entry)?.slice(1) ?? [entry]);

/** Returns the linked files of a list, each with the test titles after it. */
function references(list: string): { file: string; titles: string[] }[] {
  return [...list.matchAll(/\]\(([^)]+)\)([^[]*)/g)].map(([, link = "", after = ""]) => ({
    file: resolve(docs, link),
    titles: [...after.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? ""),
  }));
}

test("the promises are numbered, and each stands once", () => {
  const numbers = (letter: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
  expect(rows.map(([name]) => name)).toEqual([
    ...numbers("R", 10),
    ...numbers("T", 21),
    "server",
    "server",
    ...numbers("T", 26).slice(21),
    "input",
    "store",
    "audit",
    "undo",
    "instructions",
    "added folders",
    "hooks",
    "hidden values",
    "looks",
    "auto",
    "attached files",
    "hosts",
    "web",
  ]);
});

test.each(rows.map(([name = "", promise = "", list = ""]) => ({ name, promise, list })))(
  "$name names tests that exist, or is marked as later: $promise",
  ({ list }) => {
    const found = references(list);
    if (found.length === 0) expect(list).toMatch(/^- later, with /m);
    for (const { file, titles } of found) {
      expect(existsSync(file), file).toBe(true);
      expect(titles, file).not.toEqual([]);
      const source = readFileSync(file, "utf8");
      for (const title of titles) expect(source).toContain(title);
    }
  },
);
