/**
 * A bundle that is loaded again runs the code that an earlier run has saved, but only if that code was compiled from
 * the same source.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createBundleLoader } from "../../src/start/bundle-loader.ts";

const places: string[] = [];
afterAll(() => {
  for (const place of places) rmSync(place, { recursive: true, force: true });
});

/** Files that are smaller are not kept. */
const padding = `/*${"-".repeat(20_000)}*/`;

/** Writes a bundle, and returns a function that loads it in a new loader and keeps its code. */
function makeBundle(files: Readonly<Record<string, string>>) {
  const place = mkdtempSync(join(tmpdir(), "lh-bundle-"));
  places.push(place);
  const write = (name: string, text: string) => writeFileSync(join(place, name), text);
  for (const [name, text] of Object.entries(files)) write(name, text);
  const cache = join(place, "cache", "code");
  return {
    write,
    cache,
    kept: (name: string) => join(cache, name),
    timesKept: (name: string) => {
      const bytes = readFileSync(join(cache, name));
      return Number(
        bytes
          .subarray(bytes.lastIndexOf("\n") + 1)
          .toString()
          .split(" ")[0],
      );
    },
    run(folder: string | undefined = cache) {
      const { load, keep } = createBundleLoader(join(place, "main.cjs"), folder);
      const exports = load(join(place, "main.cjs"));
      keep();
      return exports;
    },
  };
}

const answering = (answer: string) => `${padding}exports.answer = () => "${answer}";`;

describe("a bundle", () => {
  test("is loaded like any CommonJS files: each once, also in a circle, with Node's modules", () => {
    const bundle = makeBundle({
      "main.cjs": `const { join, dirname } = require("node:path");
        exports.early = 1;
        const other = require("./other-AbCd_123.cjs");
        exports.all = [other.seen, other === require("./other-AbCd_123.cjs"), dirname(__filename) === __dirname, join("a", "b")];
        module.exports.late = true;`,
      "other-AbCd_123.cjs": `exports.seen = require("./main.cjs").early;`,
    });
    expect(bundle.run()).toEqual({ early: 1, all: [1, true, true, join("a", "b")], late: true });
  });

  test("whose file throws is loaded again by the next one who requires it", () => {
    const bundle = makeBundle({
      "main.cjs": `try { require("./part.cjs") } catch {}; globalThis.lhMayLoad = true; exports.got = require("./part.cjs").got; delete globalThis.lhMayLoad;`,
      "part.cjs": `if (!globalThis.lhMayLoad) throw new Error("no"); exports.got = 1;`,
    });
    expect(bundle.run()).toEqual({ got: 1 });
  });

  test("is kept compiled in its first runs, for its owner alone", () => {
    const bundle = makeBundle({ "main.cjs": answering("a") });
    const times = [1, 2, 3, 4, 5, 6, 7].map(() => {
      bundle.run();
      return bundle.timesKept("main.cjs.code");
    });
    expect(times).toEqual([1, 2, 3, 4, 5, 5, 5]);
  });

  test("keeps the functions that a run called", () => {
    const large = Array.from({ length: 400 }, (_, index) => `"${index}", `).join("");
    const bundle = makeBundle({ "main.cjs": `${padding}exports.run = () => [${large}];` });
    const sizeOf = () => readFileSync(bundle.kept("main.cjs.code")).length;
    bundle.run();
    const before = sizeOf();
    const { load, keep } = createBundleLoader(join(bundle.cache, "../../main.cjs"), bundle.cache);
    (load(join(bundle.cache, "../../main.cjs")) as { run(): unknown }).run();
    keep();
    expect(sizeOf()).toBeGreaterThan(before + 1_000);
    bundle.run();
    expect(sizeOf()).toBeGreaterThan(before + 1_000);
  });

  test("of another version replaces what is kept, also when its source is as long", () => {
    const bundle = makeBundle({ "main.cjs": answering("a") });
    const answer = () => (bundle.run() as { answer(): string }).answer();
    expect([answer(), answer()]).toEqual(["a", "a"]);
    bundle.write("main.cjs", answering("b"));
    expect([answer(), bundle.timesKept("main.cjs.code")]).toEqual(["b", 1]);
  });

  test.each<readonly [string, (bytes: Buffer) => Buffer]>([
    ["is cut", (bytes) => bytes.subarray(0, bytes.length / 2)],
    ["is empty", () => Buffer.alloc(0)],
    [
      "has a wrong bit",
      (bytes) => Buffer.from(bytes.map((byte, index) => (index === 200 ? byte ^ 1 : byte))),
    ],
    ["is anything else", () => Buffer.from("\n1 2")],
  ])("runs from its source when the kept code %s", (_what, damage) => {
    const bundle = makeBundle({ "main.cjs": answering("a") });
    bundle.run();
    const path = bundle.kept("main.cjs.code");
    writeFileSync(path, damage(readFileSync(path)));
    expect((bundle.run() as { answer(): string }).answer()).toBe("a");
    expect(bundle.timesKept("main.cjs.code")).toBe(1);
  });

  test("keeps what it read neither beside its text nor beside its compiled code", () => {
    const code = Array.from({ length: 2_000 }, (_, index) => `exports.f${index} = () => ${index};`).join("");
    const bundle = makeBundle({ "main.cjs": `/*${"-".repeat(1_000_000)}*/${code}` });
    const grown = [1, 2, 3, 4, 5, 6].map(() => {
      const before = process.memoryUsage().arrayBuffers;
      bundle.run();
      return process.memoryUsage().arrayBuffers - before;
    });
    expect(grown.filter((bytes) => bytes > 100_000)).toEqual([]);
  });

  test("runs where nothing can be kept", () => {
    const bundle = makeBundle({ "main.cjs": answering("a"), cache: "a file" });
    expect((bundle.run() as { answer(): string }).answer()).toBe("a");
    expect((bundle.run(undefined) as { answer(): string }).answer()).toBe("a");
    expect(existsSync(bundle.kept("main.cjs.code"))).toBe(false);
  });
});
