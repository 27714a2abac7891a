import { chmodSync, linkSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { storeFile } from "@localharness/workspace/edits/load-text";
import { describe, expect, test } from "vitest";
import { openBench, said } from "../bench.ts";

describe("write_file", () => {
  test("makes a file with its folders, and says what it did", async () => {
    const bench = await openBench();
    expect(await bench.call("write_file", { path: "a/b/c.txt", content: "one\ntwo" })).toEqual({
      ok: true,
      data: "Successfully wrote to a/b/c.txt: 7 bytes, 2 lines (new file).",
      details: {
        path: "a/b/c.txt",
        diff: "--- /dev/null\n+++ b/a/b/c.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file\n",
      },
      achieved: [{ kind: "wrote", subject: "a/b/c.txt" }],
      notes: [],
    });
    expect(bench.text("a/b/c.txt")).toBe("one\ntwo");
  });

  test("writes an empty file", async () => {
    const bench = await openBench();
    expect(await bench.call("write_file", { path: "e", content: "" })).toMatchObject({ ok: true });
    expect(bench.text("e")).toBe("");
  });

  test.each([
    ["line ends", Buffer.from("a\r\nb\r\n"), "x\ny\n", Buffer.from("x\r\ny\r\n")],
    ["a mark and the final line end", Buffer.from("\ufeffa\n"), "x", Buffer.from("\ufeffx\n")],
    ["UTF-16", Buffer.from("\ufeffa", "utf16le"), "x", Buffer.from("\ufeffx", "utf16le")],
    ["latin-1", Buffer.from("\xe9\n", "latin1"), "\xe8\n", Buffer.from("\xe8\n", "latin1")],
    [
      "Windows-1252",
      Buffer.from("\x80 \x81\n", "latin1"),
      "\u201eé\u201d\n",
      Buffer.from("\x84\xe9\x94\n", "latin1"),
    ],
    ["nothing that was not there", Buffer.from("a"), "x\ny", Buffer.from("x\ny")],
    ["no encoding that lacks a character", Buffer.from("\xe9\n", "latin1"), "日\n", Buffer.from("日\n")],
  ])("keeps %s", async (_, before, content, after) => {
    const bench = await openBench();
    bench.write("f", before);
    chmodSync(join(bench.root, "f"), 0o755);
    await bench.call("read_file", { path: "f" });
    expect(await bench.call("write_file", { path: "f", content })).toMatchObject({ ok: true });
    expect(bench.bytes("f")).toEqual(after);
    expect(statSync(join(bench.root, "f")).mode & 0o777).toBe(0o755);
  });

  test("says when a file in latin-1 gets a character of Windows-1252", async () => {
    const bench = await openBench();
    bench.write("f", Buffer.from("10 \xa3\n", "latin1"));
    await bench.call("read_file", { path: "f" });
    const output = await bench.call("write_file", { path: "f", content: "10 €\n" });
    expect(output.notes).toEqual([expect.stringContaining("is in windows-1252 now")]);
    expect(bench.bytes("f")).toEqual(Buffer.from("10 \x80\n", "latin1"));
  });

  test("says when it replaced a file that was never read", async () => {
    const bench = await openBench();
    bench.write("f", "old\n");
    const output = await bench.call("write_file", { path: "f", content: "new\n" });
    expect(output).toMatchObject({ ok: true, notes: [expect.stringContaining("you had not read it")] });
    expect(await bench.call("write_file", { path: "f", content: "newer\n" })).toMatchObject({
      ok: true,
      notes: [],
    });
  });

  test("overwrites only a file that has not changed since it was read", async () => {
    const bench = await openBench();
    bench.write("f", "old\n");
    await bench.call("read_file", { path: "f" });
    bench.write("f", "someone else\n");
    expect(said(await bench.call("write_file", { path: "f", content: "new\n" }))).toContain(
      "changed by someone else",
    );
    expect(bench.text("f")).toBe("someone else\n");
    await bench.call("read_file", { path: "f" });
    expect(await bench.call("write_file", { path: "f", content: "new\n" })).toMatchObject({ ok: true });
    expect(await bench.call("write_file", { path: "f", content: "newer\n" })).toMatchObject({ ok: true });
  });

  test("does not replace a file that appears while the new one is written", async () => {
    const bench = await openBench();
    const { journal } = bench.resources;
    const temporaryName = (folder: string, name: string) => {
      bench.write("f", "someone else\n");
      return journal.temporaryName(folder, name);
    };
    const resources = { ...bench.resources, journal: { ...journal, temporaryName } };
    const stored = await storeFile(resources, "f", { bytes: Buffer.from("new\n"), old: undefined });
    expect(stored).toMatchObject({ ok: false, message: expect.stringContaining("changed by someone else") });
    expect(bench.text("f")).toBe("someone else\n");
  });

  test("reports no progress for unchanged content", async () => {
    const bench = await openBench();
    bench.write("f", "same\n");
    const output = await bench.call("write_file", { path: "f", content: "same\n" });
    expect(output).toMatchObject({ ok: true });
    expect(output).not.toHaveProperty("achieved");
  });

  test("refuses a placeholder for code", async () => {
    const bench = await openBench();
    const output = await bench.call("write_file", {
      path: "f.ts",
      content: "a();\n// ... rest of code ...\n",
    });
    expect(output).toMatchObject({ ok: false, errorType: "validation_failed" });
  });

  test("never changes a file outside through a link or a second name", async () => {
    const bench = await openBench();
    const secret = join(bench.outside, "secret.txt");
    symlinkSync(secret, join(bench.root, "link"));
    symlinkSync(bench.outside, join(bench.root, "folder"));
    linkSync(secret, join(bench.root, "second"));
    await bench.call("read_file", { path: "second" });
    expect(await bench.call("write_file", { path: "link", content: "x" })).toMatchObject({ ok: false });
    expect(await bench.call("write_file", { path: "folder/new", content: "x" })).toMatchObject({ ok: false });
    expect(await bench.call("write_file", { path: "second", content: "x" })).toMatchObject({ ok: true });
    expect(readFileSync(secret, "utf8")).toBe("OUTSIDE\n");
  });

  test.runIf(process.getuid?.() !== 0)("does not replace a read-only file", async () => {
    const bench = await openBench();
    bench.write("f", "old");
    chmodSync(join(bench.root, "f"), 0o444);
    expect(await bench.call("write_file", { path: "f", content: "x" })).toMatchObject({
      errorType: "io_error",
    });
  });

  test("previews the change as a diff", async () => {
    const bench = await openBench();
    bench.write("f", "a\nb\n");
    expect(await bench.preview("write_file", { path: "f", content: "a\nc\n" })).toBe(
      "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
    );
    expect(bench.text("f")).toBe("a\nb\n");
    expect(await bench.preview("write_file", { path: "../f", content: "" })).toBeUndefined();
  });
});
