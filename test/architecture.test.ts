/** Checks that ARCHITECTURE.md names each package, and each folder of the packages that are too large to look through. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./run-program.ts";

const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");

const foldersOf = (path: string) =>
  readdirSync(join(root, path), { withFileTypes: true }).filter((entry) => entry.isDirectory());

test("each package has a row", () => {
  const missing = foldersOf("packages").filter(({ name }) => !text.includes(`| \`${name}\` |`));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test.each(["engine", "workspace", "processes", "commands", "tools", "harness", "models"])(
  "each folder of %s has a row",
  (name) => {
    const rows = text.slice(text.indexOf(`| \`${name}\` | \``, text.indexOf("| in | folder |")));
    const missing = foldersOf(`packages/${name}/src`).filter(
      (folder) => !rows.includes(`\`${folder.name}/\``),
    );
    expect(missing.map((folder) => folder.name)).toEqual([]);
  },
);
