import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hangMs } from "../../../../test/measures.ts";
import { type Bench, openBench, said } from "../bench.ts";

async function filled(): Promise<Bench> {
  const bench = await openBench();
  bench.write("src/a.ts", "function init() {}\nfn main_init\nNEEDLE\n");
  bench.write("src/b.md", "needle in text\n(a+)+$\n");
  bench.write(".config/c.ts", "needle hidden\n");
  bench.write(".gitignore", "ignored/\n");
  bench.write("ignored/d.ts", "needle ignored\n");
  bench.write(".git/config", "needle in git\n");
  bench.write("sub/.hg/x", "needle in hg\n");
  bench.write("binary", Buffer.from("needle\0\n"));
  symlinkSync(bench.outside, join(bench.root, "out"));
  writeFileSync(join(bench.outside, "n.txt"), "needle outside\n");
  return bench;
}

/** Returns the lines with matches. */
const hits = (text: string) => text.split("\n").filter((line) => /^[^ ]+:\d+: /.test(line));

describe("grep_search", () => {
  test.each([
    [{ pattern: "needle" }, ["src/a.ts:3: NEEDLE", "src/b.md:1: needle in text"]],
    [{ pattern: "fn*init" }, ["src/a.ts:2: fn main_init"]],
    [{ pattern: "needle", file_filter: "*.ts" }, ["src/a.ts:3: NEEDLE"]],
    [
      { pattern: "needle", include_hidden: true },
      [".config/c.ts:1: needle hidden", "src/a.ts:3: NEEDLE", "src/b.md:1: needle in text"],
    ],
    [
      { pattern: "needle", ignore_gitignore: true },
      ["ignored/d.ts:1: needle ignored", "src/a.ts:3: NEEDLE", "src/b.md:1: needle in text"],
    ],
    [{ pattern: "needle", path: "src/b.md" }, ["src/b.md:1: needle in text"]],
    [{ query: "needle", path: "src", glob: "*.md" }, ["src/b.md:1: needle in text"]],
    [{ pattern: "(a+)+$" }, ["src/b.md:2: (a+)+$"]],
    [{ pattern: "init()" }, ["src/a.ts:1: function init() {}"]],
    [{ pattern: "needle", max_results: 1 }, ["src/a.ts:3: NEEDLE"]],
    [{ pattern: "-f/etc/passwd" }, []],
    [{ pattern: "nothing like this" }, []],
  ])("%j finds %j", async (args, expected) => {
    const bench = await filled();
    const output = await bench.call("grep_search", args);
    expect(output.ok).toBe(true);
    expect(hits(said(output))).toEqual(expected);
  });

  test("never searches version control, binaries, or what links lead to", async () => {
    const bench = await filled();
    const text = said(
      await bench.call("grep_search", { pattern: "needle", include_hidden: true, ignore_gitignore: true }),
    );
    expect(text).not.toMatch(/in git|in hg|outside|binary/);
    expect(text.split("\n")[0]).toBe('4 matches in 4 files for "needle" [+hidden] [+gitignored]');
  });

  test("treats a pattern without matches as a regular expression, and says so", async () => {
    const bench = await filled();
    const output = await bench.call("grep_search", { pattern: "^function \\w+" });
    expect(hits(said(output))).toEqual(["src/a.ts:1: function init() {}"]);
    expect(output.notes?.[0]).toContain("regular expression");
    expect(await bench.call("grep_search", { pattern: "(unclosed" })).toMatchObject({
      ok: false,
      errorType: "validation_failed",
    });
  });

  test.each([
    [{ pattern: "" }, "validation_failed", "one line with text"],
    [{ pattern: "**" }, "validation_failed", "one line with text"],
    [{ pattern: "a\nb" }, "validation_failed", "one line with text"],
    [{ pattern: "x", max_results: 0 }, "validation_failed", "from 1 to 1000"],
    [{ pattern: "x", path: "../outside" }, "validation_failed", "leads out"],
    [{ pattern: "x", path: "out" }, "validation_failed", "leads out"],
    [{ pattern: "x", path: "none" }, "not_found", "does not exist"],
    [{ pattern: "x", file_filter: "[" }, "validation_failed", "glob"],
  ])("refuses %j with %s", async (args, errorType, message) => {
    const bench = await filled();
    const output = await bench.call("grep_search", args);
    expect(output).toMatchObject({ ok: false, errorType });
    expect(said(output)).toContain(message);
  });

  test("answers hostile expressions and huge files in time", async () => {
    const bench = await openBench();
    bench.write("f", `${"a".repeat(40)}!\nneedle\n`);
    bench.write("long", `needle ${"x".repeat(1_000_000)}\n`);
    execFileSync("truncate", ["-s", "3G", join(bench.root, "sparse")]);
    const started = performance.now();
    for (const pattern of ["(a+)+$", "^(a|a)*b$", "(.*a){25}$"]) {
      expect((await bench.call("grep_search", { pattern })).ok).toBe(true);
    }
    const text = said(await bench.call("grep_search", { pattern: "needle" }));
    expect(hits(text)).toHaveLength(2);
    expect(text.length).toBeLessThan(1000);
    expect(performance.now() - started).toBeLessThan(hangMs);
  });

  test("stops early when there is far more than wanted", async () => {
    const bench = await openBench();
    bench.write("f", "same line\n".repeat(500_000));
    const text = said(await bench.call("grep_search", { pattern: "same", max_results: 3 }));
    expect(hits(text)).toHaveLength(3);
    expect(text).toContain("(the first 3, there are more");
  });

  test("a folder that links to itself is searched once", async () => {
    const bench = await openBench();
    mkdirSync(join(bench.root, "a"));
    symlinkSync("..", join(bench.root, "a/up"));
    bench.write("a/f.txt", "needle\n");
    expect(hits(said(await bench.call("grep_search", { pattern: "needle" })))).toEqual(["a/f.txt:1: needle"]);
  });
});
