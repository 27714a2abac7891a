/** Builds and asks the index of small folders, and of folders with bad input. */
import { readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import type { GraphAnswer } from "../src/answers.ts";
import { noise } from "./noise.ts";
import { never, openWorkspace, sources } from "./workspace.ts";

const shown = ({ lines }: GraphAnswer) =>
  lines.map(({ path, line, what, text }) => `${path}:${line} ${what}: ${text}`);

test("finds definitions, references and words", async () => {
  await using work = openWorkspace(sources);
  const graph = work.open();
  const report = await graph.build(never);
  expect(report).toMatchObject({ files: 3, indexed: 3, skipped: [], removed: 0, incomplete: undefined });
  expect(shown(await graph.findSymbols("areaOf", undefined, 9))).toEqual([
    "src/area.ts:1 function areaOf, lines 1-3: export function areaOf(radius: number) {",
  ]);
  expect((await graph.findSymbols("area", undefined, 9)).by).toBe("beginning");
  expect(shown(await graph.findSymbols("of area", "lib", 9))).toEqual([
    "lib/tool.py:1 function area_of, lines 1-2: def area_of(radius):",
  ]);
  expect(shown(await graph.findReferences("areaOf", undefined, 9))).toEqual([
    "src/area.ts:1 definition: export function areaOf(radius: number) {",
    'src/use.ts:1 import: import { areaOf } from "./area.ts";',
    "src/use.ts:3 call: export const one = areaOf(1);",
  ]);
  expect(shown(await graph.search("what is the area of a radius", "src", 1))).toEqual([
    "src/area.ts:1 function areaOf, lines 1-3: export function areaOf(radius: number) {",
  ]);
  expect(await graph.relatedTo("src/use.ts")).toBe("see also: areaOf -> src/area.ts:1");
});

test("the index is readable only by its person", async () => {
  await using work = openWorkspace(sources);
  await work.open().build(never);
  expect(statSync(work.index).mode & 0o777).toBe(0o600);
  expect(statSync(`${work.index}-wal`).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(work.index)).mode & 0o777).toBe(0o700);
});

describe("changed files", () => {
  test("a build reads only those whose size or time has changed, and parses only those with another text", async () => {
    await using work = openWorkspace(sources);
    const graph = work.open();
    await graph.build(never);
    const later = new Date(Date.now() + 5_000);
    utimesSync(join(work.root, "src/use.ts"), later, later);
    work.write("src/area.ts", "export function surfaceOf() {}\n");
    work.remove("lib/tool.py");
    expect(await graph.build(never)).toMatchObject({ indexed: 1, removed: 1 });
    expect((await graph.findSymbols("areaOf", "src", 9)).lines).toEqual([]);
    expect(shown(await graph.findSymbols("surfaceOf", undefined, 9))).toHaveLength(1);
    expect(await graph.build(never)).toMatchObject({ indexed: 0, removed: 0 });
  });

  test("an answer has the lines of a file that changed after the build", async () => {
    await using work = openWorkspace(sources);
    const graph = work.open();
    await graph.build(never);
    work.write("src/area.ts", `// moved\n\n${sources["src/area.ts"]}`);
    expect(shown(await graph.findSymbols("areaOf", undefined, 9))).toEqual([
      "src/area.ts:3 function areaOf, lines 3-5: export function areaOf(radius: number) {",
    ]);
    work.remove("src/area.ts");
    expect((await graph.findSymbols("areaOf", "src", 9)).lines).toEqual([]);
  });

  test("an answer never has a line of a text with the same size and time", async () => {
    await using work = openWorkspace({ "a.ts": "function one() {}\n\n" });
    const graph = work.open();
    await graph.build(never);
    const { atime, mtime } = statSync(join(work.root, "a.ts"));
    work.write("a.ts", "\n\nfunction one() {}");
    utimesSync(join(work.root, "a.ts"), atime, mtime);
    expect(shown(await graph.findSymbols("one", undefined, 9))).toEqual([
      "a.ts:3 function one: function one() {}",
    ]);
  });

  test("a file that a tool has seen is indexed without a build", async () => {
    await using work = openWorkspace(sources);
    const graph = work.open();
    graph.onFileSeen("src/area.ts");
    graph.onFileSeen("notes.txt");
    await expect.poll(async () => (await graph.status()).files).toBe(1);
    expect((await graph.findSymbols("areaOf", undefined, 9)).total).toBe(1);
  });
});

test("a build that is interrupted keeps what is done, and the next one goes on from there", async () => {
  const many = Array.from({ length: 60 }, (_, at) => [`f${at}.ts`, `export const value${at} = ${at};\n`]);
  await using work = openWorkspace(Object.fromEntries(many));
  const graph = work.open();
  const stop = new AbortController();
  const first = await graph.build(stop.signal, (done) => {
    if (done === 20) stop.abort();
  });
  expect(first.incomplete).toBe("cancelled");
  expect((await graph.status()).builtAt).toBeUndefined();
  const second = await graph.build(never);
  expect(first.indexed).toBeGreaterThanOrEqual(20);
  expect(first.indexed + second.indexed).toBe(60);
});

test("closing the index during a build leaves no file out for good", async () => {
  const many = Array.from({ length: 60 }, (_, at) => [`f${at}.ts`, `export const value${at} = ${at};\n`]);
  await using work = openWorkspace(Object.fromEntries(many));
  const closed = work.open();
  await new Promise<void>((resolve) => {
    void closed.build(never, (done) => done === 5 && resolve()).catch(() => undefined);
  });
  await closed.close();
  const graph = work.open();
  await graph.build(never);
  expect(await graph.status()).toMatchObject({ files: 60, skippedFiles: 0 });
});

describe("bad input", () => {
  test.each([
    ["of a newer version", (path: string) => new DatabaseSync(path).exec("PRAGMA user_version = 99")],
    ["of another program", (path: string) => writeFileSync(path, "no database")],
    ["that is torn", (path: string) => truncateSync(path, 9_000)],
    ["without its end", (path: string) => truncateSync(path, statSync(path).size - 5_000)],
    ["with a page of noise", (path: string) => writeFileSync(path, noise(readFileSync(path)))],
  ])("an index %s is built again", async (_what, damage) => {
    await using work = openWorkspace(sources);
    const first = work.open();
    await first.build(never);
    await first.close();
    damage(work.index);
    const graph = work.open();
    await graph.build(never);
    await graph.build(never);
    expect(shown(await graph.findReferences("areaOf", undefined, 9))).toHaveLength(3);
    expect((await graph.status()).files).toBe(3);
  });

  test("more files than the maximum are not indexed, which the report says", async () => {
    await using work = openWorkspace(sources);
    const graph = work.open({ maxFiles: 2 });
    expect(await graph.build(never)).toMatchObject({ files: 3, indexed: 2, incomplete: "files" });
    expect((await graph.status()).missing).toBe("files");
    const larger = work.open({ maxFiles: 3 });
    expect(await larger.build(never)).toMatchObject({ indexed: 1, incomplete: undefined });
    expect((await larger.status()).missing).toBeUndefined();
  });

  test("an index of the maximum size grows no more, which the report says", async () => {
    await using work = openWorkspace(sources);
    const graph = work.open({ maxBytes: 1_000 });
    expect(await graph.build(never)).toMatchObject({ incomplete: "bytes" });
    expect((await graph.status()).missing).toBe("bytes");
  });
});

test("drop removes the index", async () => {
  await using work = openWorkspace(sources);
  const graph = work.open();
  await graph.build(never);
  expect(await graph.drop()).toBe(true);
  expect(graph.exists()).toBe(false);
  expect(await graph.drop()).toBe(false);
  await graph.build(never);
  expect((await graph.status()).files).toBe(3);
});
