/** Checks path completion in a real folder: ignored paths are left out, and the list is cached and refreshed. */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { listFiles } from "@localharness/processes/search/list-files";
import { openToolResources } from "@localharness/tools";
import { expect, onTestFinished, test } from "vitest";
import { createPathIndex } from "../../src/host/path-index.ts";

async function open(now?: () => number) {
  const root = mkdtempSync(join(tmpdir(), "path-index-"));
  const workspace = join(root, "workspace");
  mkdirSync(join(workspace, "src"), { recursive: true });
  mkdirSync(join(workspace, ".git"));
  writeFileSync(join(workspace, ".git", "config"), "");
  writeFileSync(join(workspace, ".gitignore"), "*.log\n");
  for (const name of ["src/main.ts", "src/two words.ts", "debug.log", ".env.example"])
    writeFileSync(join(workspace, name), "");
  const resources = await openToolResources({ workspace, stateFolder: join(root, "state") });
  onTestFinished(async () => {
    await resources.close();
    rmSync(root, { recursive: true, force: true });
  });
  let listings = 0;
  const index = createPathIndex((most, signal) => {
    listings += 1;
    return listFiles(resources, most, signal);
  }, now);
  return { index, workspace, listings: () => listings };
}

test("files and folders that version control does not ignore, listed once", async () => {
  const { index, listings } = await open(() => 0);
  expect(new Set(await index.complete("", 20))).toEqual(
    new Set(["src/", "src/main.ts", "src/two words.ts", ".gitignore", ".env.example"]),
  );
  expect(await index.complete("two", 20)).toEqual(["src/two words.ts"]);
  expect(await index.complete("debug", 20)).toEqual([]);
  expect(listings()).toBe(1);
});

test("a file made later is found once the list is old; until then the old list answers at once", async () => {
  let time = 0;
  const { index, workspace, listings } = await open(() => time);
  await index.complete("", 20);
  writeFileSync(join(workspace, "later.ts"), "");
  time = 60_000;
  expect(await index.complete("later", 20)).toEqual([]);
  await expect.poll(() => index.complete("later", 20)).toEqual(["later.ts"]);
  expect(listings()).toBe(2);
});

test("a listing that fails is tried again, and what an earlier one gave is kept", async () => {
  const { workspace } = await open();
  let time = 0;
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  const index = createPathIndex(
    async () => ({ paths: readdirSync(workspace), complete: true }),
    () => time,
  );
  const away = `${workspace}.away`;
  renameSync(workspace, away);
  await expect(index.complete("src", 20)).rejects.toThrow("ENOENT");
  renameSync(away, workspace);
  expect(await index.complete("src", 20)).toEqual(["src"]);
  renameSync(workspace, away);
  time = 60_000;
  expect(await index.complete("src", 20)).toEqual(["src"]);
  await setImmediate();
  renameSync(away, workspace);
  writeFileSync(join(workspace, "later.ts"), "");
  time = 120_000;
  await expect.poll(() => index.complete("later", 20)).toEqual(["later.ts"]);
  expect(unhandled).toEqual([]);
});

test("what is typed further meanwhile is what counts", async () => {
  const { index } = await open(() => 0);
  const [older, newer] = await Promise.all([index.complete("m", 20), index.complete("main", 20)]);
  expect(older).toEqual([]);
  expect(newer).toEqual(["src/main.ts"]);
});
