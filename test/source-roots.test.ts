/** Checks that a package can be read from its root: few entries, each named for a subject. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./run-program.ts";

/** What a reader can hold in view. */
const maxEntries = 12;

test.each(["harness", "models"])("the sources of %s have at most 12 entries at their root", (name) => {
  const entries = readdirSync(join(root, "packages", name, "src"));
  expect(entries.length, entries.join(" ")).toBeLessThanOrEqual(maxEntries);
});
