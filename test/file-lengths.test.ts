/** Checks that no source is longer than the house rules allow. The linter does not count every line. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./run-program.ts";

const maxLines = 400;

test("no source has more than 400 lines", () => {
  const sources = globSync("{packages/*/{src,test},test,scripts,bench,examples}/**/*.{ts,tsx}", {
    cwd: root,
    exclude: (path) => path.endsWith("node_modules") || path.endsWith(".signature.ts"),
  });
  expect(sources.length).toBeGreaterThan(1_000);
  const long = sources.filter(
    (path) => readFileSync(join(root, path), "utf8").trimEnd().split("\n").length > maxLines,
  );
  expect(long).toEqual([]);
});
