/** Runs `localharness index` of the built program, which loads its compressed grammars. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePlace, run } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();

const files = {
  "a.ts": "export function areaOf() {}\n",
  "b.py": "def area_of():\n    return total()\n",
  "c.cs": "class Area { void Total() { } }\n",
  "d.min.js": `${"const a=1;".repeat(3_000)}\n`,
};

test("builds, shows, asks and removes the index of a folder", async () => {
  const place = makePlace(files);
  const index = (...args: string[]) => run(["index", ...args], { place });
  expect(await index("status")).toMatchObject({ code: 1, stdout: expect.stringContaining("index build") });
  const built = await index("build");
  expect(built).toMatchObject({ code: 0, stderr: "" });
  expect(built.stdout).toMatch(/^3 files indexed in .*; the index has 3 files, 4 symbols, /);
  expect(built.stdout).toContain("left out: 1\n  d.min.js: it has a line of 30000 characters");
  expect((await index("query", "areaOf")).stdout).toBe(
    "a.ts:1 function areaOf: export function areaOf() {}\n",
  );
  writeFileSync(join(place.workspace, "a.ts"), `\n${readFileSync(join(place.workspace, "a.ts"), "utf8")}`);
  expect((await index("query", "areaOf")).stdout).toContain("a.ts:2 function areaOf");
  expect(JSON.parse((await index("status", "--json")).stdout)).toMatchObject({ files: 3, skippedFiles: 1 });
  expect((await index("drop")).stdout).toBe("the index of this folder is removed\n");
  expect(await index("query", "areaOf")).toMatchObject({ code: 1 });
  expect(await index("query")).toMatchObject({ code: 2 });
});

test("a model gets the tools once the folder has an index, and their lines", async () => {
  const place = makePlace(files);
  const ask = async () => {
    server.use({
      turns: [{ calls: [{ name: "find_symbol", arguments: { name: "area_of" } }] }, { text: "Done." }],
    });
    await run(["-p", ...argumentsFor(server), "--sandbox", "off", "go"], { place });
    return JSON.stringify(server.chats);
  };
  expect(await ask()).not.toContain("b.py:1 function");
  await run(["index", "build"], { place });
  expect(await ask()).toContain("b.py:1 function area_of, lines 1-2: def area_of():");
});
