import { existsSync, lstatSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openBench, said } from "../bench.ts";

describe("remove", () => {
  test("deletes a file, an empty folder, and with recursive a full one", async () => {
    const bench = await openBench();
    bench.write("f", "x");
    bench.write("d/e/g", "x");
    bench.write("d/h", "x");
    expect(await bench.call("remove", { path: "f" })).toEqual({
      ok: true,
      data: "Removed f.",
      achieved: [{ kind: "removed", subject: "f" }],
    });
    const refused = await bench.call("remove", { path: "d" });
    expect(refused).toMatchObject({ ok: false, errorType: "validation_failed" });
    expect(said(refused)).toContain("Set recursive to true");
    expect(said(await bench.call("remove", { path: "d", recursive: true }))).toBe(
      "Removed the folder d/ with 2 files and 1 folder in it.",
    );
    await bench.call("mkdir", { path: "empty" });
    expect(said(await bench.call("remove", { path: "empty" }))).toBe("Removed the empty folder empty/.");
    expect(readdirSync(bench.root)).toEqual([]);
  });

  test("deletes links, never what they lead to", async () => {
    const bench = await openBench();
    bench.write("d/x", "x");
    symlinkSync(join(bench.outside, "secret.txt"), join(bench.root, "link"));
    symlinkSync(bench.outside, join(bench.root, "d/folder"));
    expect(said(await bench.call("remove", { path: "link" }))).toContain("not what it points to");
    expect(await bench.call("remove", { path: "d/folder/secret.txt" })).toMatchObject({
      errorType: "validation_failed",
    });
    expect(await bench.call("remove", { path: "d", recursive: true })).toMatchObject({ ok: true });
    expect(readdirSync(bench.outside)).toEqual(["secret.txt"]);
    expect(lstatSync(bench.outside).isDirectory()).toBe(true);
  });

  test.each([["."], ["a/.."], ["./"], [".."], ["../outside"]])("refuses %s", async (path) => {
    const bench = await openBench();
    bench.write("a/keep", "x");
    expect(await bench.call("remove", { path, recursive: true })).toMatchObject({
      ok: false,
      errorType: "validation_failed",
    });
    expect(existsSync(join(bench.root, "a/keep"))).toBe(true);
  });

  test("reports a name that does not exist", async () => {
    const bench = await openBench();
    expect(await bench.call("remove", { path: "none" })).toMatchObject({ ok: false, errorType: "not_found" });
    expect(await bench.call("remove", { path: "none/x" })).toMatchObject({
      ok: false,
      errorType: "not_found",
    });
  });
});
