/** Checks the words of `localharness index` about an index that cannot hold all files. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openGraph, type SourceFiles } from "@localharness/graph";
import { expect, onTestFinished, test } from "vitest";
import { buildLines, statusLines } from "../../src/graph/index-words.ts";

/** Returns the lines that a build of three files prints, and those of the status after it. */
async function linesOf(limits: { readonly maxFiles?: number; readonly maxBytes?: number }) {
  const base = mkdtempSync(join(tmpdir(), "index-words-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const paths = ["a.ts", "b.ts", "c.ts"];
  for (const path of paths) writeFileSync(join(base, path), "export const value = 1;\n");
  const stateOf = (path: string) => {
    const { size, mtimeMs } = statSync(join(base, path));
    return { size, mtimeMs };
  };
  const files: SourceFiles = {
    list: async () => ({ paths, complete: true }),
    stateOf,
    read: async (path) => ({
      kind: "text",
      text: readFileSync(join(base, path), "utf8"),
      state: stateOf(path),
    }),
  };
  const graph = openGraph({ path: join(base, "state", "graph.sqlite"), files, ...limits });
  const report = await graph.build(new AbortController().signal);
  const status = await graph.status();
  await graph.close();
  return { build: buildLines(report, status, 0).join("\n"), status: statusLines(status).join("\n") };
}

test.each([
  { limits: { maxFiles: 2 }, words: "it has its maximum number" },
  { limits: { maxBytes: 1_000 }, words: "it has its maximum size" },
])("an index with $limits: $words", async ({ limits, words }) => {
  const { build, status } = await linesOf(limits);
  expect(build).toContain(`not all of the 3 source files are in the index: ${words}`);
  expect(status).toContain("not complete\n");
  expect(status).toContain(`not all source files are in the index: ${words}`);
});

test("an index with all files is complete", async () => {
  const { build, status } = await linesOf({});
  expect(build).not.toContain("not all");
  expect(status).toMatch(/complete since \d{4}-/);
  expect(status).not.toContain("not ");
});
