import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openBench, said } from "../bench.ts";

test("makes a folder and those above it", async () => {
  const bench = await openBench();
  expect(await bench.call("mkdir", { path: "a/b/c" })).toMatchObject({
    ok: true,
    achieved: [{ kind: "wrote", subject: "a/b/c" }],
  });
  expect(statSync(join(bench.root, "a/b/c")).isDirectory()).toBe(true);
  expect(await bench.call("mkdir", { path: "a/b" })).toEqual({
    ok: true,
    data: "The folder a/b/ exists already.",
  });
});

test.each([
  ["f", "io_error"],
  ["f/g", "io_error"],
  ["../outside/new", "validation_failed"],
  ["", "validation_failed"],
])("answers %j with %s", async (path, errorType) => {
  const bench = await openBench();
  bench.write("f", "x");
  const output = await bench.call("mkdir", { path });
  expect(output).toMatchObject({ ok: false, errorType });
  expect(said(output)).not.toBe("");
});
