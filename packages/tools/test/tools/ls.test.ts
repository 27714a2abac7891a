import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Bench, openBench, said } from "../bench.ts";

async function filled(): Promise<Bench> {
  const bench = await openBench();
  bench.write("b.txt", "x".repeat(2048));
  bench.write("a.txt", "x");
  bench.write(".hidden", "x");
  mkdirSync(join(bench.root, "src"));
  symlinkSync("a.txt", join(bench.root, "link"));
  for (const [name, minute] of [
    ["a.txt", 3],
    ["b.txt", 2],
    ["src", 1],
  ] as const) {
    const time = new Date(2026, 0, 31, 10, minute);
    utimesSync(join(bench.root, name), time, time);
  }
  return bench;
}

const names = (text: string) =>
  text
    .split("\n")
    .slice(1)
    .filter((line) => /^[A-Z]{3,4}\s/.test(line))
    .map((line) => line.slice(35));

describe("ls", () => {
  test("shows type, size, time and name, and a summary", async () => {
    const bench = await filled();
    const lines = said(await bench.call("ls", {})).split("\n");
    expect(lines.filter((line) => !line.startsWith("LINK"))).toEqual([
      "TYPE       SIZE  MODIFIED          NAME",
      "FILE        1 B  2026-01-31 10:03  a.txt",
      "FILE     2.0 KB  2026-01-31 10:02  b.txt",
      "DIR           -  2026-01-31 10:01  src/",
      "",
      "2 files, 1 directory, 1 other, 2.0 KB total",
    ]);
    expect(lines.find((line) => line.startsWith("LINK"))).toMatch(/link -> a\.txt$/);
  });

  test.each([
    [{}, ["a.txt", "b.txt", "link -> a.txt", "src/"]],
    [{ show_hidden: true }, [".hidden", "a.txt", "b.txt", "link -> a.txt", "src/"]],
    [{ reverse: true }, ["src/", "link -> a.txt", "b.txt", "a.txt"]],
    [{ sort_by: "size", reverse: true }, ["b.txt", "a.txt", "src/", "link -> a.txt"]],
    [{ sort_by: "modified" }, ["src/", "b.txt", "a.txt", "link -> a.txt"]],
    [{ max_entries: 2 }, ["a.txt", "b.txt"]],
  ])("with %j lists %j", async (args, expected) => {
    const bench = await filled();
    expect(names(said(await bench.call("ls", args)))).toEqual(expected);
  });

  test("says when not all is shown", async () => {
    const bench = await filled();
    expect(said(await bench.call("ls", { max_entries: 2 }))).toContain(
      "[showing 2 of 4, use max_entries for more]",
    );
  });

  test.each([
    ["none", "not_found"],
    ["a.txt", "io_error"],
    ["..", "validation_failed"],
    ["/", "validation_failed"],
  ])("answers %s with %s", async (path, errorType) => {
    const bench = await filled();
    expect(await bench.call("ls", { path })).toMatchObject({ ok: false, errorType });
  });

  test("lists broken links, pipes and names that would break the table", async () => {
    const bench = await openBench();
    symlinkSync("nowhere", join(bench.root, "broken"));
    execFileSync("mkfifo", [join(bench.root, "pipe")]);
    bench.write("two\nlines\u202e", "");
    const text = said(await bench.call("ls", {}));
    expect(names(text)).toEqual(["broken -> nowhere", "pipe", "two\\u000alines\\u202e"]);
    expect(text).toMatch(/^FIFO .*pipe$/m);
  });

  test("is named by list_dir and list_directory, with dirpath for path", async () => {
    const bench = await filled();
    const plain = await bench.call("ls", { path: "src" });
    expect(await bench.call("list_dir", { dirpath: "src" })).toEqual(plain);
    expect(await bench.call("list_directory", { path: "src" })).toEqual(plain);
    expect(said(plain)).toContain("The folder is empty");
  });

  test("its fingerprint changes when a file in the folder grows", async () => {
    const bench = await filled();
    const before = await bench.fingerprint("ls", {});
    expect(await bench.fingerprint("ls", {})).toBe(before);
    bench.write("a.txt", "longer");
    expect(await bench.fingerprint("ls", {})).not.toBe(before);
  });

  test.skipIf(process.platform !== "linux")(
    "a name that is not UTF-8 is told from others, and hides none",
    async () => {
      const bench = await openBench();
      for (const name of ["a\\377", "a\\376", "caf\\351"]) {
        execFileSync("sh", ["-c", `printf x > "$(printf '${name}')"`], { cwd: bench.root });
      }
      bench.write("caf\u00e9", "xy");
      mkdirSync(join(bench.root, "z"));
      const text = said(await bench.call("ls", {}));
      expect(names(text)).toEqual(["a\\xfe", "a\\xff", "caf\\xe9", "caf\u00e9", "z/"]);
      expect(text).toContain("4 files, 1 directory, 5 B total");
    },
  );

  test("of very many entries, those that are shown are looked at", async () => {
    const bench = await openBench();
    for (let at = 0; at < 10_050; at += 1) bench.write(`f${String(at).padStart(5, "0")}`, "x");
    const text = said(await bench.call("ls", { max_entries: 3 }));
    expect(names(text)).toEqual(["f00000", "f00001", "f00002"]);
    expect(text).toContain("10050 files, 0 directories, sizes not added up");
    expect(text).toContain("[showing 3 of 10050");
    const last = said(await bench.call("ls", { max_entries: 1, reverse: true }));
    expect(names(last)).toEqual(["f10049"]);
  });
});
