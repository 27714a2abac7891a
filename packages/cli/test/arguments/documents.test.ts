/** Checks that the documents name every option and have the table of settings. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fields } from "@localharness/harness/config/fields";
import { expect, test } from "vitest";
import { withSettingsTable } from "../../../../scripts/settings-doc.ts";
import { flags } from "../../src/arguments/flags.ts";

const docs = join(import.meta.dirname, "../../../../docs");
const pages = [...readdirSync(docs).filter((name) => name.endsWith(".md")), "../README.md"];
const text = pages.map((name) => readFileSync(join(docs, name), "utf8")).join("\n");
const settings = readFileSync(join(docs, "settings.md"), "utf8");

test.each(flags.map(({ name }) => name))("--%s", (name) => {
  expect(text).toMatch(new RegExp(`(?<![\\w-])--${name}(?![\\w-])`));
});

test("each option is one row of the table", () => {
  const names = flags.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

test("docs/settings.md has the table of settings: npm run fix writes it", () => {
  expect(settings).toBe(withSettingsTable(settings));
});

test("the option of each setting follows one that there is", () => {
  const after = fields.flatMap(({ option }) => option?.after ?? []);
  expect(flags.map(({ name }) => name)).toEqual(expect.arrayContaining(after));
});
