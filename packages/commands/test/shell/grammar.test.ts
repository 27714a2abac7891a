import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { loadGrammar } from "../../src/shell/grammar.ts";

test("is loaded once", async () => {
  expect(loadGrammar()).toBe(loadGrammar());
  const grammar = await loadGrammar();
  expect(grammar.ok && grammar.parse("ls")?.rootNode.type).toBe("program");
});

test("files that are missing or damaged are a problem in words, not an exception", async () => {
  const folder = temporaryFolder();
  const damaged = join(folder, "damaged.wasm");
  writeFileSync(damaged, "no wasm");
  const missing = join(folder, "missing.wasm");
  expect(await loadGrammar({ runtime: missing, bash: missing })).toMatchObject({ ok: false });
  const grammar = await loadGrammar({ runtime: damaged, bash: damaged });
  expect(grammar).toMatchObject({ ok: false });
  expect(grammar.ok ? "" : grammar.problem).not.toBe("");
});
