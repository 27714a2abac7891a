/** Builds the index of folders with files on which the parser needs seconds, hangs or crashes. */
import { closeSync, ftruncateSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { never, openWorkspace, sources } from "./workspace.ts";

test("files that are large or minified, that hang or crash the parser, are left out with the reason", async () => {
  const minified = `${"const a=1;".repeat(3_000)}\n`;
  await using work = openWorkspace({ ...sources, "min.js": minified, "hang.ts": "1", "crash.ts": "1" });
  const huge = openSync(join(work.root, "huge.ts"), "w");
  ftruncateSync(huge, 200 * 1024 * 1024);
  closeSync(huge);
  const graph = work.open({
    parserFile: join(import.meta.dirname, "spinning-thread.ts"),
    maxParseMs: 2_000,
  });
  const { skipped, indexed } = await graph.build(never);
  expect(indexed).toBe(3);
  expect(Object.fromEntries(skipped.map(({ path, reason }) => [path, reason]))).toEqual({
    "crash.ts": "the parser ended",
    "hang.ts": "parsing took more than 2 s of processor time",
    "huge.ts": "it has 209715200 bytes, more than 1000000",
    "min.js": "it has a line of 30000 characters, as minified code has",
  });
  expect(await graph.build(never)).toMatchObject({ indexed: 0, skipped: [] });
  expect((await graph.status()).skippedFiles).toBe(4);
});

test("a text on which a real grammar needs 15 s is left out", async () => {
  await using work = openWorkspace({ ...sources, "deep.ts": "(\n".repeat(50_000) });
  const graph = work.open({ maxParseMs: 2_000 });
  expect(await graph.build(never)).toMatchObject({
    indexed: 3,
    skipped: [{ path: "deep.ts", reason: "parsing took more than 2 s of processor time" }],
  });
  expect((await graph.findReferences("areaOf", undefined, 9)).total).toBe(3);
});
