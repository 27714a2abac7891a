import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openBench, said } from "../bench.ts";

const ten = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join("");

describe("read_file", () => {
  test.each([
    [{}, "1: line 1", "10: line 10"],
    [{ offset: 4, limit: 2 }, "4: line 4", "[showing 4-5 of 10, continue with offset=6]"],
    [{ offset: 9 }, "9: line 9", "[showing 9-10 of 10]"],
    [{ start_line: 2, end_line: 3 }, "2: line 2", "[showing 2-3 of 10, continue with offset=4]"],
    [{ end_line: 2 }, "1: line 1", "[showing 1-2 of 10, continue with offset=3]"],
    [{ offset: 0, limit: 1 }, "1: line 1", "[showing 1-1 of 10, continue with offset=2]"],
    [{ offset: -2 }, "9: line 9", "[showing 9-10 of 10]"],
  ])("with %j begins %j and ends %j", async (range, first, last) => {
    const bench = await openBench();
    bench.write("ten.txt", ten);
    const lines = said(await bench.call("read_file", { path: "ten.txt", ...range })).split("\n");
    expect([lines[0], lines.at(-1)]).toEqual([first, last]);
  });

  test.each([
    [{ offset: 11 }, "lines 1 to 10"],
    [{ offset: 3, limit: 0 }, "lines 1 to 10"],
    [{ offset: 5, end_line: 4 }, "lines 1 to 10"],
  ])("refuses the range %j and names the one there is", async (range, message) => {
    const bench = await openBench();
    bench.write("ten.txt", ten);
    const output = await bench.call("read_file", { path: "ten.txt", ...range });
    expect(output).toMatchObject({ ok: false, errorType: "validation_failed" });
    expect(said(output)).toContain(message);
  });

  test.each([
    ["empty", Buffer.alloc(0), "[the file is empty]", []],
    ["CRLF", Buffer.from("a\r\nb\r\n"), "1: a\n2: b", []],
    ["UTF-16", Buffer.from("\ufeffhé\n", "utf16le"), "1: hé", ["encoding: utf-16le"]],
    ["latin-1", Buffer.from("caf\xe9", "latin1"), "1: café", ["encoding: latin-1"]],
    ["UTF-8 with a mark", Buffer.from("\ufeffa"), "1: a", ["encoding: utf-8-bom"]],
  ])("reads a file that is %s", async (_, bytes, data, notes) => {
    const bench = await openBench();
    bench.write("f", bytes);
    expect(await bench.call("read_file", { path: "f" })).toEqual({ ok: true, data, notes });
  });

  test.each([
    ["none.txt", "not_found", "does not exist"],
    ["folder", "io_error", "Use ls"],
    ["binary", "parse_error", "binary file"],
    ["big", "io_error", "the limit is 10 MB"],
    ["pipe", "validation_failed", "named pipe"],
    ["../outside/secret.txt", "validation_failed", "leads out"],
    ["", "validation_failed", "empty"],
  ])("answers %j with %s", async (path, errorType, message) => {
    const bench = await openBench();
    bench.write("folder/x", "x");
    bench.write("binary", Buffer.from([1, 0, 2]));
    execFileSync("truncate", ["-s", "11M", join(bench.root, "big")]);
    execFileSync("mkfifo", [join(bench.root, "pipe")]);
    const output = await bench.call("read_file", { path });
    expect(output).toMatchObject({ ok: false, errorType });
    expect(said(output)).toContain(message);
  });

  test("cuts what is too long for a result, and says how to go on", async () => {
    const bench = await openBench({ resultLimit: () => 500 });
    bench.write("long.txt", `${"x".repeat(40)}\n`.repeat(100));
    const first = said(await bench.call("read_file", { path: "long.txt" }));
    const next = Number(/continue with offset=(\d+)\]$/.exec(first)?.[1]);
    expect(first.length).toBeLessThan(600);
    expect(said(await bench.call("read_file", { path: "long.txt", offset: next }))).toMatch(
      new RegExp(`^${next}: x`),
    );
    bench.write("line.txt", "y".repeat(10_000));
    expect(said(await bench.call("read_file", { path: "line.txt" })).length).toBeLessThan(600);
  });

  test("its fingerprint changes with the file", async () => {
    const bench = await openBench();
    bench.write("f", "a");
    const before = await bench.fingerprint("read_file", { path: "f" });
    expect(await bench.fingerprint("read_file", { path: "f" })).toBe(before);
    chmodSync(join(bench.root, "f"), 0o200);
    const closed = await bench.fingerprint("read_file", { path: "f" });
    expect(closed).not.toBe(before);
    bench.write("f", "ab");
    expect(await bench.fingerprint("read_file", { path: "f" })).not.toBe(before);
    expect(await bench.fingerprint("read_file", { path: "none" })).toBeUndefined();
  });
});
