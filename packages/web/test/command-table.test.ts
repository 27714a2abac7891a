/** Checks that the browser has the commands of the one table. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commandTable } from "@localharness/protocol";
import { expect, test } from "vitest";

test("every command of the table runs in the browser, except the one that leaves", () => {
  const source = readFileSync(join(import.meta.dirname, "../src/screen/commands.ts"), "utf8");
  const runs = source.slice(source.indexOf("const runs"), source.indexOf("function idOf"));
  const missing = commandTable.filter(
    ({ name }) => !new RegExp(`^ {2}(?:async )?"?${name}"?[:(]`, "m").test(runs),
  );
  expect(missing.map(({ name }) => name)).toEqual(["quit"]);
});

test("no name or alias stands for two commands", () => {
  const names = commandTable.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  expect([...new Set(names)]).toEqual(names);
});
